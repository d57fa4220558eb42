import type { Clock } from '@art/async';
import { ArtError } from '@art/protocol';
import { indexedSource, type IndexedSource } from '../../batch/indexed-source.ts';
import { refuseOption } from '../../check-option.ts';
import type { RunKind, RunRecord } from '../journal-record.ts';
import { encodeRecord } from '../record-codec.ts';
import { resumedSource } from '../resume/resumed-source.ts';
import type { JournalLog } from '../rollout-journal.ts';
import { newestRun } from '../manage/newest-run.ts';
import type { JournalRun } from './journal-choice.ts';
import { PayloadDigests } from './payload-digests.ts';
import { recordOptions, restoreOptions } from './recorded-options.ts';
import { RunHistory } from './run-history.ts';
import { RunJournal } from './run-journal.ts';
import { RunKeeper, type RunKeeperParts } from './run-keeper.ts';

/** What a client knows of itself that a run must agree with. */
export interface RunSettings extends RunKeeperParts {
  clock: Clock;
  /** Undefined where results come from sessions, as `bucket`. */
  expId: string | undefined;
  bucket: string | undefined;
  agentRuntimeArn: string | undefined;
}

/** A run that this process holds. */
export interface OpenedRun<T, Options> {
  keeper: RunKeeper;
  source: IndexedSource<T>;
  options: Options;
}

/**
 * Begins a run: its payloads' digests and its options are written down before anything else happens.
 * @throws ArtError `ART_JOURNAL_EXISTS`, `ART_JOURNAL_WRITE_FAILED`
 */
export async function beginRun<T, Options extends { signal?: AbortSignal | undefined }>(
  { journal, runId }: JournalRun,
  kind: RunKind,
  values: Iterable<T> | AsyncIterable<T>,
  options: Options,
  inputIdPrefix: string,
  settings: RunSettings,
): Promise<OpenedRun<T, Options>> {
  const { signal } = options;
  const digests = Array.isArray(values) ? await PayloadDigests.of(values, signal) : undefined;
  const run: RunRecord = {
    type: 'run',
    version: 1,
    runId: runId ?? inputIdPrefix,
    kind,
    expId: settings.expId,
    bucket: settings.bucket,
    inputIdPrefix,
    createdAtMs: Math.round(settings.clock.epochMs()),
    payloadCount: digests?.count,
    agentRuntimeArn: settings.agentRuntimeArn,
    ...recordOptions(options),
  };
  const lines = [encodeRecord(run), ...Array.from(digests?.toRecords() ?? [], encodeRecord)];
  const log = await journal.create(run.runId, lines, { signal });
  const runJournal = new RunJournal({ log, run, digests, nextRollout: 0, clock: settings.clock });
  const keeper = new RunKeeper(runJournal, undefined, settings);
  return { keeper, source: indexedSource(values), options };
}

/**
 * Takes a run up where earlier processes left it. Nothing but the claim happens before it is certain that run, client,
 * options and payloads fit together.
 * @throws ArtError `ART_JOURNAL_NOT_FOUND`, `ART_JOURNAL_LOCKED`, `ART_JOURNAL_CORRUPT`, `ART_JOURNAL_PAYLOADS_CHANGED`,
 *   `ART_INVALID_OPTION`
 */
export async function reopenRun<T, Options extends { signal?: AbortSignal | undefined }>(
  { journal, runId }: JournalRun,
  kind: RunKind,
  values: Iterable<T> | AsyncIterable<T>,
  given: Partial<Options>,
  check: (options: Options) => void,
  settings: RunSettings,
): Promise<OpenedRun<T, Options>> {
  const { signal } = given;
  const log = await journal.open(runId ?? (await newestRun(journal, kind, { signal })), { signal });
  try {
    return await takeUp(log, kind, values, given, check, settings);
  } catch (error) {
    await log.close();
    throw error;
  }
}

async function takeUp<T, Options extends { signal?: AbortSignal | undefined }>(
  log: JournalLog,
  kind: RunKind,
  values: Iterable<T> | AsyncIterable<T>,
  given: Partial<Options>,
  check: (options: Options) => void,
  settings: RunSettings,
): Promise<OpenedRun<T, Options>> {
  const history = await RunHistory.read(log.read({ signal: given.signal }));
  const { run } = history;
  if (run.kind !== kind) {
    throw new ArtError({
      code: 'ART_JOURNAL_NOT_FOUND',
      message: `Expected run ${JSON.stringify(run.runId)} to be of kind "${kind}", it is of kind "${run.kind}". Use ${run.kind === 'groups' ? 'resumeGroups' : 'resume'}.`,
    });
  }
  for (const name of ['expId', 'bucket'] as const) {
    if (run[name] !== settings[name])
      refuseOption(
        name,
        `${JSON.stringify(run[name]) ?? 'left out'}, as run ${JSON.stringify(run.runId)} has it`,
        settings[name],
      );
  }
  const options = restoreOptions(run, given) as Options;
  check(options);
  const source = await resumedSource(values, history, given.signal);
  const { nextRollout, digests } = history;
  const runJournal = new RunJournal({ log, run, digests, nextRollout, clock: settings.clock });
  return { keeper: new RunKeeper(runJournal, history, settings), source, options };
}
