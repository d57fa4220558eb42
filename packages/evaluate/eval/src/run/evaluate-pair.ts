import { join } from 'node:path';
import { linkSignals, refuseData } from '@art/ground';
import { newRunId } from '@art/journal';
import { openGoal } from '../goal/open-goal.ts';
import type { GoalResult } from '../records/results-record.ts';
import type { EvalRun } from './eval-run.ts';
import { agentOf, openGivenTasks, reductionOf } from './evaluate.ts';
import { checkEvaluateOptions, type EvaluateOptions } from './evaluate-options.ts';
import { counted, evaluateTasks, type OpenedParts } from './evaluate-tasks.ts';
import { defaultConcurrency } from './evaluation.ts';
import { openBudget } from './open-budget.ts';

type OfSide = 'agent' | 'prompts' | 'notes' | 'onStatus';

/** One of two agents that are evaluated side by side. */
export interface PairSide extends Pick<EvaluateOptions, OfSide> {
  /** Name of its run, and of its folder in that of both. */
  name: string;
}

/** Options of `evaluatePair`: of both sides, but for what each has for itself. */
export interface PairOptions extends Omit<EvaluateOptions, OfSide | 'name'> {
  baseline: PairSide;
  candidate: PairSide;
  /** Question about the difference of the candidate from the baseline: `difference > 0`. */
  until: string;
  /** Folder of both runs. @default `.art/matrices/{time}` */
  folder?: string | undefined;
  /** Most sessions at once, of both together, but at least one of each. @default 16 */
  concurrency?: number | undefined;
}

/**
 * Evaluates two agents side by side on the same tasks, in an order drawn by `seed`, until a question about their difference is answered. Each is an
 * ordinary run; that of the candidate has the answer. Called again with the same folder, it continues. A ceiling is for both together: what both ask of
 * their model has to go through one gateway (`gateway` of `localAgent`).
 * @throws ArtError as `evaluate`
 */
export async function evaluatePair(options: PairOptions): Promise<{ baseline: EvalRun; candidate: EvalRun }> {
  const { baseline, candidate, folder = join('.art', 'matrices', newRunId()), ...both } = options;
  const concurrency = Math.max(1, Math.floor((options.concurrency ?? defaultConcurrency) / 2));
  const sides = [baseline, candidate].map((side) => {
    const given = { ...both, ...side, concurrency, folder: join(folder, side.name) };
    checkEvaluateOptions(given);
    return { given, agent: agentOf(side.agent) };
  });
  options.signal?.throwIfAborted();
  const [first, second] = sides as [(typeof sides)[number], (typeof sides)[number]];
  const given = await openGivenTasks(options);
  const run = await reductionOf(options, first.given.folder);
  const goal = await openGoal({ ...options, run, concurrency, isPair: true }, given);
  const { watch, tasks } = goal!;
  const folders = sides.map((side) => side.given.folder);
  const budget = await openBudget(options, first.agent, folder, folders);
  if (budget !== undefined && first.agent.capture !== second.agent.capture)
    refuseData('one gateway for both agents beside a ceiling, which counts them together', 'one for each');
  const stopping = linkSignals(options.signal);
  const begun = (side: 0 | 1, answer: OpenedParts['answer']): Promise<EvalRun> => {
    const { given: ofSide, agent } = sides[side]!;
    const signalled = { ...ofSide, signal: stopping.signal };
    const parts = { agent, folder: ofSide.folder, tasks, budget, goal: watch.side(side), answer };
    return (
      evaluateTasks(signalled, parts)
        .catch((error: unknown) => {
          stopping.abort(error);
          throw error;
        })
        // The other one waits for nothing that does not come.
        .finally(() => watch.cut())
    );
  };
  try {
    return await counted(first.agent, budget, async () => {
      const before = begun(0, () => null);
      const after = begun(1, async ({ cost }): Promise<GoalResult> => {
        const costs = [cost, (await before).results.cost].map((one) => one?.perSample.median ?? NaN);
        const perSample = (costs[0]! + costs[1]!) / 2;
        return watch.result(Number.isNaN(perSample) ? null : perSample);
      });
      await Promise.allSettled([before, after]);
      stopping.signal.throwIfAborted();
      return { baseline: await before, candidate: await after };
    });
  } finally {
    stopping.unlink();
  }
}
