import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { linkSignals, refuseOption } from '@art/ground';
import { newRunId } from '@art/journal';
import { openGoal } from '../goal/open-goal.ts';
import { type RunControl, serveControl } from '../control/serve-control.ts';
import type { RunBudget } from '@art/rollout';
import { type CeilingResult, writeResults } from '../records/results-record.ts';
import { runPath } from '../records/run-folder.ts';
import { readRunRecord, type RunRecord } from '../records/run-record.ts';
import { summarize } from '../results/summarize.ts';
import { readScores } from '../results/task-scores.ts';
import { leastPasses, type Reduction } from '../statistics/reduce-scores.ts';
import { openTasks } from '../tasks/task-source.ts';
import { selectTasks } from '../tasks/task-selection.ts';
import { EvalRun } from './eval-run.ts';
import { checkEvaluateOptions, type EvaluateOptions } from './evaluate-options.ts';
import type { EvaluatedAgent } from './evaluated-agent.ts';
import { defaultConcurrency, Evaluation } from './evaluation.ts';
import { openBudget } from './open-budget.ts';
import { openEvalRun } from './open-run.ts';
import { openSampleJournal } from './sample-journal.ts';

/**
 * Runs an agent on tasks, judges what it did, and writes everything down. Call it again with the same folder to continue with a run that
 * was broken off, or to add samples: what was judged is not run again, samples whose infrastructure failed are run again.
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_PAYLOAD`, `ART_JOURNAL_PAYLOADS_CHANGED`, `ART_FOLDER_HELD` before anything is
 *   sent; `ART_TOO_MANY_FAILURES` where the agent does not start at all; the signal's reason when it aborts
 */
export async function evaluate(options: EvaluateOptions): Promise<EvalRun> {
  checkEvaluateOptions(options);
  options.signal?.throwIfAborted();
  const agent: EvaluatedAgent = 'client' in options.agent ? options.agent : { client: options.agent };
  const folder = options.folder ?? join('.art', 'evals', newRunId());
  const given = await openTasks(
    options.tasks,
    options.limit,
    options.select && (await selectTasks(options.select, options.seed ?? 0)),
    options.data,
  );
  const measured = reductionOf(options, await recordedRun(folder));
  const goal = await openGoal(
    { ...options, run: measured, concurrency: options.concurrency ?? defaultConcurrency },
    given,
  );
  const tasks = goal?.tasks ?? given;
  const budget = await openBudget(options, agent, folder);
  const stopping = linkSignals(options.signal);
  const { signal } = stopping;
  const abort = (reason: unknown): void => stopping.abort(reason);
  const control: RunControl = { run: undefined, stop: abort, status: () => undefined };
  try {
    await using _ = await serveControl(folder, control, options.control !== false);
    const run = await openEvalRun(folder, options, agent, tasks, budget?.sampleCeiling);
    if (budget !== undefined) agent.capture!.budget = budget;
    const journal = agent.endsWithProcess === true ? undefined : await openSampleJournal(folder);
    const openTasks = (): ReturnType<typeof tasks.open> => tasks.open();
    const { watch } = goal ?? {};
    const work = new Evaluation(options, {
      agent,
      folder,
      run,
      openTasks,
      goal: watch,
      budget,
      journal,
      signal,
      abort,
    });
    control.run = work.rollouts;
    control.status = () => work.status;
    await work.run();
    budget?.keep();
    const scores = await readScores(folder);
    const figures = summarize(work.record, scores, work.record.maxFailures);
    const results = {
      ...figures,
      goal: watch?.result(figures.cost?.perSample.median ?? null) ?? null,
      ceiling: budget === undefined ? null : ceilingResult(budget),
    };
    await writeResults(folder, results);
    return new EvalRun(folder, work.record, results, scores);
  } finally {
    stopping.unlink();
    if (budget !== undefined) agent.capture!.budget = undefined;
  }
}

function ceilingResult({ ceiling, spent, reached }: RunBudget): CeilingResult {
  return { ceiling, spent, reached: reached ?? null };
}

/** The run that continues; undefined for a new one. */
async function recordedRun(folder: string): Promise<RunRecord | undefined> {
  return existsSync(runPath(folder, 'run')) ? readRunRecord(folder) : undefined;
}

/** Takes from the record what is not given again. @throws ArtError `ART_INVALID_OPTION` where a task has fewer samples than are to pass */
function reductionOf(
  options: Pick<EvaluateOptions, 'samples' | 'passReward' | 'reduce'>,
  before: Reduction | undefined,
): Reduction {
  const { samples = before?.samples ?? 1, passReward = before?.passReward ?? 1 } = options;
  const { reduce = before?.reduce } = options;
  const least = leastPasses(reduce);
  if (least !== undefined && least > samples)
    refuseOption('reduce', `at-least of no more than the ${samples} samples of a task`, reduce);
  return { reduce, passReward, samples };
}
