import { linkSignals } from '@art/ground';
import type { RunBudget } from '@art/rollout';
import { type RunControl, serveControl } from '../control/serve-control.ts';
import type { RunGoal } from '../goal/goal-watch.ts';
import {
  type CeilingResult,
  type GoalResult,
  type ResultsRecord,
  writeResults,
} from '../records/results-record.ts';
import { summarize } from '../results/summarize.ts';
import { readScores } from '../results/task-scores.ts';
import type { TaskSource } from '../tasks/task-source.ts';
import { EvalRun } from './eval-run.ts';
import type { EvaluateOptions } from './evaluate-options.ts';
import type { EvaluatedAgent } from './evaluated-agent.ts';
import { Evaluation } from './evaluation.ts';
import { openEvalRun } from './open-run.ts';
import { openSampleJournal } from './sample-journal.ts';

/** The parts of a run that are open. */
export interface OpenedParts {
  agent: EvaluatedAgent;
  folder: string;
  tasks: TaskSource;
  budget: RunBudget | undefined;
  goal: RunGoal | undefined;
  /** The answer to the goal, by the figures of the run; null without one. */
  answer: (figures: ResultsRecord) => GoalResult | null | Promise<GoalResult | null>;
}

/** Runs what is missing of a run, and writes down what it comes to. @throws as `evaluate` */
export async function evaluateTasks(options: EvaluateOptions, parts: OpenedParts): Promise<EvalRun> {
  const { agent, folder, tasks, budget, goal, answer } = parts;
  const stopping = linkSignals(options.signal);
  const { signal } = stopping;
  const abort = (reason: unknown): void => stopping.abort(reason);
  const control: RunControl = { run: undefined, stop: abort, status: () => undefined };
  try {
    await using _ = await serveControl(folder, control, options.control !== false);
    const run = await openEvalRun(folder, options, agent, tasks, budget?.sampleCeiling);
    const journal = agent.endsWithProcess === true ? undefined : await openSampleJournal(folder);
    const openTasks = (): ReturnType<typeof tasks.open> => tasks.open();
    const work = new Evaluation(options, {
      agent,
      folder,
      run,
      openTasks,
      goal,
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
      goal: await answer(figures),
      ceiling: budget === undefined ? null : ceilingResult(budget),
    };
    await writeResults(folder, results);
    return new EvalRun(folder, work.record, results, scores);
  } finally {
    stopping.unlink();
  }
}

/** Runs some work while what an agent asks of its model is counted. */
export async function counted<Result>(
  agent: EvaluatedAgent,
  budget: RunBudget | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (budget === undefined) return work();
  agent.capture!.budget = budget;
  try {
    return await work();
  } finally {
    agent.capture!.budget = undefined;
  }
}

function ceilingResult({ ceiling, spent, reached }: RunBudget): CeilingResult {
  return { ceiling, spent, reached: reached ?? null };
}
