import { resolve } from 'node:path';
import { improve, type Improvement, readImproveRecord } from '@art/improve';
import { refuseOption } from '@art/ground';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { dataOptionsOf } from '../arguments/data-options.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { misuseOfAgent } from '../eval/agent-options.ts';
import { runFolder, runWithAgent } from '../eval/agent-run.ts';
import { formatImprovement, formatImproveStatus, formatIteration } from '../eval/format-improvement.ts';
import { declaredImprove, type ImproveCommandOptions, missingOfImprove } from '../eval/improve-options.ts';
import { goneOnWith, keptAgentOptions, notedOptions } from '../eval/kept-options.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { runCompare } from './compare.ts';

/** The command line of `art improve`. */
export function improveCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runImprove);
  return declaredImprove().action(async (agent, flags, command) => {
    const wrong = misuseOfAgent(agent, flags) ?? missingOfImprove(flags);
    if (wrong !== undefined) command.error(`error: ${wrong}`);
    await run({ ...flags, agent });
  });
}

/**
 * `art improve`: searches better prompts for an agent, and compares them with those in its code. Ctrl-C stops its sessions; `--resume`
 * continues.
 * @returns the exit code
 * @throws ArtError for what cannot be improved
 */
export function runImprove(given: ImproveCommandOptions, context: CliContext): Promise<number> {
  return interruptible(context, async (interrupts) => {
    const { cwd } = context;
    const folder = runFolder('improve', given, cwd);
    const options =
      given.resume === undefined ? given : goneOnWith(given, (await readImproveRecord(folder)).notes['cli']);
    const { tasks, budget } = options;
    return runWithAgent({ command: 'improve', options, folder }, context, interrupts, async (run) => {
      const { agent, shown, progress, note, onSample, evaluating } = run;
      const baseUrl =
        options.reflectUrl ??
        (options.agentRuntimeArn === undefined ? agent.model?.baseUrl : options.baseUrl) ??
        refuseOption('--reflect-url', 'the endpoint of the reflecting model', undefined, {
          advice: 'Without it, the model of the agent must be known: --base-url or --mock-model.',
        });
      note(`Search in ${shown}. Ctrl-C stops it; "art improve --resume ${shown}" continues.`);
      const done = await improve({
        ...evaluating,
        folder,
        tasks: resolve(cwd, tasks ?? refuseOption('--tasks', 'a file with tasks', undefined)),
        data: dataOptionsOf(options),
        validation: options.validate === undefined ? undefined : resolve(cwd, options.validate),
        heldOut: options.heldOut === undefined ? undefined : resolve(cwd, options.heldOut),
        until: options.until,
        rewardRange: options.rewardRange,
        budget: budget ?? refuseOption('--budget', 'the most rollouts in all', undefined),
        reflect: {
          baseUrl,
          model: options.reflectModel ?? refuseOption('--reflect-model', 'a model', undefined),
          apiKey: context.env['REFLECT_API_KEY'],
        },
        minibatch: options.minibatch,
        seed: options.seed,
        notes: { cli: notedOptions(options, keptOptions) },
        onStatus: (status) => progress.show(formatImproveStatus(status)),
        onIteration: (record) => note(formatIteration(record)),
        onSample,
      });
      progress.clear();
      return publish(done, options.json, context, shown);
    });
  });
}

/** Tells what was found, with the comparison on held-out tasks as `art compare` tells it. */
async function publish(
  done: Improvement,
  isJson: boolean,
  context: CliContext,
  shown: string,
): Promise<number> {
  const { heldOut, candidates, best } = done;
  if (!isJson && heldOut !== null) {
    const { baseline: first, candidate: second } = heldOut;
    await runCompare({ first, second, baseline: undefined, failOnRegression: false, json: false }, context);
    context.stdout.write('\n');
  }
  const told = candidates.map(({ scores, ...candidate }) => ({
    ...candidate,
    scores: Object.fromEntries(scores),
  }));
  eventWriter<object>(context, isJson, () => formatImprovement(done, shown))({
    ...done,
    candidates: told,
    prompts: candidates[best]!.prompts,
  });
  return (heldOut?.comparison.doubts.length ?? 0) > 0 ? exitCodes.infrastructure : exitCodes.ok;
}

/** Options that a search takes again when it continues. */
const keptOptions = [
  ...keptAgentOptions,
  'passReward',
  'failureReward',
  'prices',
  'budget',
  'reflectModel',
  'reflectUrl',
  'validate',
  'heldOut',
  'until',
  'rewardRange',
  'minibatch',
  'seed',
] as const satisfies readonly (keyof ImproveCommandOptions)[];
