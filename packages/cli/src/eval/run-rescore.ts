import { resolve } from 'node:path';
import { rescore } from '@art/eval';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { FirstOfKind } from '../terminal/first-of-kind.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { printableText } from '../terminal/printable-text.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import type { RescoreRunOptions } from '../commands/rescore-command.ts';
import { firstFailure } from './first-failure.ts';
import { formatResults } from './format-results.ts';
import { loadReward } from './load-reward.ts';
import { shownPath } from './shown-path.ts';

/** `art rescore`. @returns the exit code */
export function runRescore(options: RescoreRunOptions, context: CliContext): Promise<number> {
  return interruptible(context, async ({ signal }) => {
    const { cwd, stdout, stderr } = context;
    const progress = new ProgressLine(stderr);
    const failures = new FirstOfKind();
    let judged = 0;
    const run = await rescore({
      folder: resolve(cwd, options.folder),
      reward: await loadReward(options.reward, cwd),
      out: options.out === undefined ? undefined : resolve(cwd, options.out),
      judgeConcurrency: options.concurrency,
      signal,
      onSample: (sample) => {
        judged += 1;
        progress.show(`${judged} samples judged`);
        const told = sample.judgeError === null ? undefined : firstFailure(failures, sample);
        if (told !== undefined) progress.note(told);
      },
    });
    progress.clear();
    const { verdict, checks } = run.check({});
    if (options.json) stdout.write(plainJson({ ...run.results, folder: run.folder, verdict, checks }));
    else stdout.write(printableText(formatResults(run, verdict, checks, shownPath(cwd, run.folder))));
    return verdict === 'passed' ? exitCodes.ok : exitCodes.infrastructure;
  });
}
