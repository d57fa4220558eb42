import { readRollouts } from '@art/eval/records';
import { RunHealth } from '@art/health';
import type { CliContext } from '../cli-context.ts';
import { printableText } from '../terminal/printable-text.ts';

/** Says what is wrong with a run although its figures look fine; nothing where no check found anything worth a look. */
export async function tellHealth(
  folder: string,
  shown: string,
  { stderr }: Pick<CliContext, 'stderr'>,
  signal: AbortSignal,
): Promise<void> {
  const health = new RunHealth();
  for await (const rollout of readRollouts(folder)) {
    if (signal.aborted) return;
    health.see(rollout);
  }
  const findings = health
    .report()
    .checks.filter((result) => result.state === 'finding' && result.level !== 'note');
  for (const finding of findings)
    if (finding.state === 'finding')
      stderr.write(printableText(`Health: ${finding.level} ${finding.check}: ${finding.message}\n`));
  if (findings.length > 0) stderr.write(`"art health ${shown}" says where, and what to do.\n`);
}
