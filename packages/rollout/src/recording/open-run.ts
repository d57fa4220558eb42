import type { Clock } from '@art/async';
import {
  beginRun,
  indexedSource,
  resolveJournalChoice,
  resumeRun,
  type IndexedSource,
  type JournalChoice,
  type OpenRun,
  type RunKind,
} from '@art/journal';
import type { AttemptRecord } from '../pool/attempt-record.ts';
import { JournaledAttempts, type JournaledAttemptsParts } from './journaled-attempts.ts';
import { recordOptions, restoreOptions } from './recorded-options.ts';
import type { RunOptions } from '../pool/run-options.ts';
import type { Run } from '../pool/run.ts';
import { RecordedRun } from './recorded-run.ts';

/** What a client knows of itself that a run must agree with, and what runs are recorded with. */
export interface OpenRunParts extends JournaledAttemptsParts {
  clock: Clock;
  /** Undefined where results come from sessions, as `bucket`. */
  expId: string | undefined;
  bucket: string | undefined;
  agentRuntimeArn: string | undefined;
  /** Journals that are to be closed with the client. */
  lingering: Set<() => Promise<void>>;
}

/** A kind of run: how one is made of its source, its options and what it is recorded in. */
export interface KindOfRun<Value, Options, Item> {
  kind: RunKind;
  make: (
    source: IndexedSource<Value>,
    options: Options,
    inputIdPrefix: string,
    record: AttemptRecord | undefined,
  ) => Run<Item>;
}

type RunItem = { index: number; acknowledge(): Promise<void> };

/**
 * A new run, recorded in a journal where the options name one.
 * @throws ArtError `ART_JOURNAL_EXISTS`, `ART_JOURNAL_WRITE_FAILED`
 */
export async function openRun<Value, Options extends RunOptions, Item extends RunItem>(
  { kind, make }: KindOfRun<Value, Options, Item>,
  values: Iterable<Value> | AsyncIterable<Value>,
  options: Options,
  inputIdPrefix: string,
  parts: OpenRunParts,
): Promise<Run<Item>> {
  if (options.journal === undefined) return make(indexedSource(values), options, inputIdPrefix, undefined);
  const { expId, bucket, agentRuntimeArn, clock } = parts;
  const facts = { kind, inputIdPrefix, expId, bucket, agentRuntimeArn, ...recordOptions(options) };
  const { signal } = options;
  const opened = await beginRun(resolveJournalChoice(options.journal), values, facts, { clock, signal });
  return recorded({ kind, make }, opened, options, parts);
}

/**
 * A run that an earlier process began.
 * @param check of the options as a whole: what is given, and what is left out as the run was started with
 * @throws ArtError as `resumeRun` of `@art/journal`
 */
export async function reopenRun<Value, Options extends RunOptions, Item extends RunItem>(
  kindOfRun: KindOfRun<Value, Options, Item>,
  choice: JournalChoice,
  values: Iterable<Value> | AsyncIterable<Value>,
  given: Partial<Options>,
  check: (options: Options) => void,
  parts: OpenRunParts,
): Promise<Run<Item>> {
  const { expId, bucket, clock } = parts;
  let options: Options | undefined;
  const opened = await resumeRun(
    resolveJournalChoice(choice),
    values,
    { kind: kindOfRun.kind, expId, bucket },
    {
      clock,
      signal: given.signal,
      check: (run) => {
        options = restoreOptions(run, given) as Options;
        check(options);
      },
    },
  );
  return recorded(kindOfRun, opened, options!, parts);
}

function recorded<Value, Options extends RunOptions, Item extends RunItem>(
  { make }: KindOfRun<Value, Options, Item>,
  { session, source }: OpenRun<Value>,
  options: Options,
  parts: OpenRunParts,
): Run<Item> {
  const attempts = new JournaledAttempts(session, parts);
  const run = make(source, options, session.record.header.inputIdPrefix, attempts);
  const { acknowledge: mode = 'next', detachSignal } = options;
  const { stops, lingering } = parts;
  return new RecordedRun(run, { session, mode, stops, lingering, detachSignal });
}
