import { describeThrown } from '@art/ground';
import { listRuns, type RolloutJournal, type RunSummary } from '@art/journal';
import type { CliContext } from '../cli-context.ts';
import { printableText } from '../terminal/printable-text.ts';

/**
 * The runs of a journal, the oldest first. One that cannot be read is told of: it must not hide the others.
 * @returns the others, and whether they are all that there are
 */
export async function readableRuns(
  journal: RolloutJournal,
  { stderr }: Pick<CliContext, 'stderr'>,
  signal: AbortSignal,
): Promise<{ runs: RunSummary[]; areAll: boolean }> {
  const listed = await listRuns(journal, { signal });
  const runs: RunSummary[] = [];
  for (const run of listed) {
    if (!('error' in run)) runs.push(run);
    else {
      const why = describeThrown(run.error).message;
      stderr.write(printableText(`Run ${run.runId} cannot be read: ${why}\n`));
    }
  }
  return { runs, areAll: runs.length === listed.length };
}
