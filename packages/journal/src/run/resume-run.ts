import type { Clock } from '@art/async';
import { ArtError, refuseOption } from '@art/protocol';
import { newestRun } from '../history/newest-run.ts';
import type { JournalRun } from '../log/journal-choice.ts';
import type { RunHeader } from '../records/journal-record.ts';
import type { OpenRun } from './begin-run.ts';
import { resumedSource } from './resumed-source.ts';
import { RunSession } from './run-session.ts';

/** What a run must agree with: the kind that is asked for, and where the client looks for results. */
export type ExpectedRun = Pick<RunHeader, 'kind' | 'expId' | 'bucket'>;

export interface ResumeRunOptions {
  clock: Clock;
  signal?: AbortSignal | undefined;
  /** Looks at the run before any payload is read. Throws what keeps it from being resumed. */
  check: (run: RunHeader) => void;
}

/**
 * Takes a run up where earlier processes left it. Nothing but the claim happens before it is certain that run, client,
 * options and payloads fit together.
 * @throws ArtError `ART_JOURNAL_NOT_FOUND`, `ART_JOURNAL_LOCKED`, `ART_JOURNAL_CORRUPT`, `ART_JOURNAL_PAYLOADS_CHANGED`,
 *   `ART_INVALID_OPTION`; what `check` throws
 */
export async function resumeRun<T>(
  { journal, runId }: JournalRun,
  values: Iterable<T> | AsyncIterable<T>,
  expected: ExpectedRun,
  { clock, signal, check }: ResumeRunOptions,
): Promise<OpenRun<T>> {
  const id = runId ?? (await newestRun(journal, expected.kind, { signal }));
  const session = await RunSession.open(journal, id, { clock, signal });
  try {
    const { header } = session.record;
    checkFit(header, expected);
    check(header);
    return { session, source: await resumedSource(values, session.history, signal) };
  } catch (error) {
    await session.record.close();
    throw error;
  }
}

function checkFit(run: RunHeader, expected: ExpectedRun): void {
  const name = JSON.stringify(run.runId);
  if (run.kind !== expected.kind) {
    throw new ArtError({
      code: 'ART_JOURNAL_NOT_FOUND',
      message: `Expected run ${name} to be of kind "${expected.kind}", it is of kind "${run.kind}". Use ${run.kind === 'groups' ? 'resumeGroups' : 'resume'}.`,
    });
  }
  for (const option of ['expId', 'bucket'] as const) {
    if (run[option] !== expected[option])
      refuseOption(
        option,
        `${JSON.stringify(run[option]) ?? 'left out'}, as run ${name} has it`,
        expected[option],
      );
  }
}
