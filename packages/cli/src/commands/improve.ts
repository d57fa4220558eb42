import { join, resolve } from 'node:path';
import { CleanupStack } from '@art/async';
import type { PriceTable } from '@art/eval/records';
import { improve, type Improvement, readImproveRecord } from '@art/improve';
import { newRunId } from '@art/journal';
import { ArtError, refuseOption } from '@art/protocol';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { readOptionJson } from '../arguments/read-option-file.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { misuseOfAgent } from '../eval/agent-options.ts';
import { formatImprovement, formatImproveStatus, formatIteration } from '../eval/format-improvement.ts';
import { declaredImprove, type ImproveCommandOptions, missingOfImprove } from '../eval/improve-options.ts';
import { goneOnWith, keptAgentOptions, notedOptions } from '../eval/kept-options.ts';
import { loadReward } from '../eval/load-reward.ts';
import { openAgent } from '../eval/open-agent.ts';
import { shownPath } from '../eval/shown-path.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
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
 * goes on.
 * @returns the exit code
 * @throws ArtError for what cannot be improved
 */
export function runImprove(given: ImproveCommandOptions, context: CliContext): Promise<number> {
  return interruptible(context, async (interrupts) => {
    const { cwd, stderr } = context;
    const { signal } = interrupts;
    const folder = resolve(cwd, given.resume ?? given.out ?? join('.art', 'improve', newRunId()));
    const options =
      given.resume === undefined ? given : goneOnWith(given, (await readImproveRecord(folder)).notes['cli']);
    const { tasks, budget, prices, failureReward } = options;
    const shown = shownPath(cwd, folder);
    const progress = new ProgressLine(stderr);
    const note = (message: string): void => progress.note(message);
    await using parts = new CleanupStack();
    const reward = options.reward === undefined ? undefined : await loadReward(options.reward, cwd);
    const warned = new Set<string>();
    // Every evaluation is a batch of its own, and warns of the same things.
    const warn = (message: string): void => {
      const kind = message.replaceAll(/[\da-f-]{8,}|\d+/g, '');
      if (!warned.has(kind)) note(message);
      warned.add(kind);
    };
    const agent = await openAgent(options, context, parts, warn);
    const baseUrl =
      options.reflectUrl ??
      (options.agentRuntimeArn === undefined ? agent.model?.baseUrl : options.baseUrl) ??
      refuseOption('--reflect-url', 'the endpoint of the reflecting model', undefined, {
        advice: 'Without it, the model of the agent must be known: --base-url or --mock-model.',
      });
    note(`Search in ${shown}. Ctrl-C stops it; "art improve --resume ${shown}" goes on.`);
    let done: Improvement;
    try {
      done = await improve({
        agent,
        reward,
        folder,
        tasks: resolve(cwd, tasks ?? refuseOption('--tasks', 'a file with tasks', undefined)),
        validation: options.validate === undefined ? undefined : resolve(cwd, options.validate),
        heldOut: options.heldOut === undefined ? undefined : resolve(cwd, options.heldOut),
        budget: budget ?? refuseOption('--budget', 'the most rollouts in all', undefined),
        reflect: {
          baseUrl,
          model: options.reflectModel ?? refuseOption('--reflect-model', 'a model', undefined),
          apiKey: context.env['REFLECT_API_KEY'],
        },
        minibatch: options.minibatch,
        seed: options.seed,
        concurrency: options.concurrency,
        timeoutMs: options.timeoutMs,
        passReward: options.passReward,
        failureReward: failureReward === 'none' ? null : failureReward,
        prices: prices === undefined ? undefined : (readOptionJson('--prices', prices, cwd) as PriceTable),
        notes: { cli: notedOptions(options, keptOptions) },
        signal,
        onStatus: (status) => progress.show(formatImproveStatus(status)),
        onIteration: (record) => note(formatIteration(record)),
        onSample: ({ id, outcome, error, judgeError, sessionId }) => {
          if (error !== null) progress.noteFirst(outcome, error, id, sessionId);
          else if (judgeError !== null) progress.noteFirst('unjudged sample', judgeError, id, sessionId);
        },
        onNotice: note,
      });
    } catch (error) {
      progress.clear();
      const isStopped = ArtError.isInstance(error) && error.code === 'ART_RUN_STOPPED';
      if (!isStopped && !signal.aborted) throw error;
      stderr.write(`Interrupted. The sessions were stopped; "art improve --resume ${shown}" goes on.\n`);
      return interrupts.exitCode ?? exitCodes.interrupted;
    }
    progress.clear();
    return publish(done, options.json, context, shown);
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

/** What a search that goes on is started with again. */
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
  'minibatch',
  'seed',
] as const satisfies readonly (keyof ImproveCommandOptions)[];
