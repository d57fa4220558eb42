import type { UnreadableRun } from '@art/journal';
import type { CliContext } from '../cli-context.ts';

/** Tells of a run that cannot be read, and goes on: it must not hide the others. */
export function tellUnreadable(
  { runId, error }: UnreadableRun,
  { stderr }: Pick<CliContext, 'stderr'>,
): void {
  stderr.write(`Run ${runId} cannot be read: ${error instanceof Error ? error.message : String(error)}\n`);
}
