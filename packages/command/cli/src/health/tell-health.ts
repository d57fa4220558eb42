import { readRollouts } from '@art/eval/records';
import type { CliContext } from '../cli-context.ts';
import { printableText } from '../terminal/printable-text.ts';
import { formatHealth, HealthWatch } from './run-watch.ts';

/** Says what is wrong with a run although its figures look fine; nothing where no check found anything worth a look. */
export async function tellHealth(
  folder: string,
  shown: string,
  { stderr }: Pick<CliContext, 'stderr'>,
  signal: AbortSignal,
): Promise<void> {
  // What has to be said early was said.
  const watch = new HealthWatch({}, () => undefined);
  for await (const rollout of readRollouts(folder)) {
    if (signal.aborted) return;
    watch.see(rollout);
  }
  const { event } = watch;
  if (event !== undefined) stderr.write(printableText(formatHealth(event, `"art health ${shown}"`)));
}
