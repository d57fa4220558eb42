import { resolve } from 'node:path';
import { rescore } from '@art/eval';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { countArgument, durationArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { cacheOption } from '../arguments/shared-options.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { loadReward } from '../eval/load-reward.ts';
import { tellResults } from '../eval/tell-results.ts';
import { exitCodes } from '../exit-codes.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { ProgressLine } from '../terminal/progress-line.ts';

const examples = `
Examples:
  $ art rescore .art/evals/20260131-120000-3f9a1c --reward ./stricter.ts \\
      --out rescored
  $ art compare .art/evals/20260131-120000-3f9a1c rescored

Judges what is written down: no agent is run, and no model is called but the
judge's own. The run itself stays as it is.
Exit codes: 0 judged; 2 wrong usage; 3 could not be judged; 130 Ctrl-C.`;

function declared() {
  return new Command('rescore')
    .description(
      'Judges the samples of a run of "art eval" again, into a new run that can be compared with it.',
    )
    .argument('<run>', 'folder of the run', filledArgument)
    .requiredOption('--reward <file>', 'module whose default export judges', filledArgument)
    .option('--out <dir>', 'folder of the new run (default: beside the old one)', filledArgument)
    .addOption(cacheOption())
    .option('--judge-timeout-ms <ms>', 'longest time of a judgement (default: 300000)', durationArgument)
    .option('--concurrency <count>', 'most samples at once (default: 16)', countArgument(10_000))
    .option('--json', 'write the figures as one JSON object', false)
    .addHelpText('after', examples);
}

export type RescoreRunOptions = OptionsOf<typeof declared> & { folder: string };

/** The command line of `art rescore`. */
export function rescoreCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runRescore);
  return declared().action((folder, flags) => run({ ...flags, folder }));
}

/** `art rescore`. @returns the exit code */
export function runRescore(options: RescoreRunOptions, context: CliContext): Promise<number> {
  return interruptible(context, async ({ signal }) => {
    const { cwd, stderr } = context;
    const progress = new ProgressLine(stderr);
    let judged = 0;
    await using reward = await loadReward(options.reward, cwd, options.judgeTimeoutMs, options.cache);
    const run = await rescore({
      folder: resolve(cwd, options.folder),
      reward,
      out: options.out === undefined ? undefined : resolve(cwd, options.out),
      judgeConcurrency: options.concurrency,
      signal,
      onSample: ({ id, judgeError, sessionId }) => {
        judged += 1;
        progress.show(`${judged} samples judged`);
        if (judgeError !== null) progress.noteFirst('unjudged sample', judgeError, id, sessionId);
      },
    });
    progress.clear();
    const check = run.check({});
    tellResults(run, check, options.json, context);
    return check.verdict === 'passed' ? exitCodes.ok : exitCodes.infrastructure;
  });
}
