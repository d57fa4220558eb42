import { type Clock, ArtError, refuseOption } from '@art/ground';
import { newestRun } from '../history/newest-run.ts';
import type { JournalRun } from '../log/journal-choice.ts';
import type { RunHeader } from '../records/journal-record.ts';
import { RunLog } from './run-log.ts';

/** Facts that a run must agree with: the kind that is asked for, and where the client looks for results. */
export type ExpectedRun = Pick<RunHeader, 'kind' | 'expId' | 'bucket'>;

/**
 * Claims a run where earlier processes left it. Nothing else happens before the caller has compared its data.
 * @throws ArtError `ART_JOURNAL_NOT_FOUND`, `ART_JOURNAL_LOCKED`, `ART_JOURNAL_CORRUPT`, `ART_INVALID_OPTION`
 */
export async function resumeRun(
  { journal, runId }: JournalRun,
  expected: ExpectedRun,
  { clock, signal }: { clock: Clock; signal?: AbortSignal | undefined },
): Promise<RunLog> {
  const id = runId ?? (await newestRun(journal, expected.kind, { signal }));
  const runLog = await RunLog.open(journal, id, { clock, signal });
  try {
    checkFit(runLog.header, expected);
    return runLog;
  } catch (error) {
    await runLog.close();
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
