import { refuseData } from '@art/ground';
import { readRunRecord } from '../records/run-record.ts';
import { readScores, scoresOf } from '../results/task-scores.ts';
import { randomSource } from '../statistics/random-source.ts';
import { isSameReduction, type TaskReduction, reductionText } from '../statistics/reduce-scores.ts';
import type { Task } from '../tasks/task.ts';
import type { TaskSource } from '../tasks/task-source.ts';
import { scaleOf } from './goal-scale.ts';
import { GoalWatch } from './goal-watch.ts';
import { isGoalOfBoth, readGoal } from './goal.ts';

/** Options of a run that a goal needs. */
export interface GoalOptions {
  until?: string | undefined;
  rewardRange?: readonly [number, number] | undefined;
  /** Samples of each task, and what makes a score of them. */
  run: TaskReduction;
  seed?: number | undefined;
  concurrency: number;
  /** True where two agents are asked side by side. @default false */
  isPair?: boolean | undefined;
}

/** A goal's watch, and the tasks that answer it. */
export interface OpenedGoal {
  watch: GoalWatch;
  /** In an order that is drawn: the first tasks of a file are not like the others. */
  tasks: TaskSource;
}

/** Tasks are asked no further ahead than some rounds of all sessions, so that a slow task costs little. */
const roundsAhead = 4;

/**
 * Opens the goal of a run; undefined for a run without one.
 * @throws ArtError `ART_INVALID_OPTION` for a goal that is none, a baseline without scores, and tasks that can be read only once
 */
export async function openGoal(options: GoalOptions, tasks: TaskSource): Promise<OpenedGoal | undefined> {
  const { until, rewardRange = [0, 1], run, seed = 0, concurrency, isPair = false } = options;
  const { samples } = run;
  if (until === undefined) return undefined;
  const goal = readGoal(until);
  const { figure } = goal;
  if (tasks.count === undefined)
    refuseData(
      'tasks that can be read twice, as their order is drawn',
      `${tasks.name}, which can be read once`,
    );
  if (figure.name === 'pass' && figure.k > samples)
    refuseData(`at least ${figure.k} samples of each task for "${goal.text}"`, `${samples}`);
  if (isGoalOfBoth(until) !== isPair)
    refuseData(
      isPair
        ? 'a goal about the difference of two agents, such as "difference > 0"'
        : 'the run that a difference is from, as in "difference from main > 0" ("art compare old.ts new.ts --until ..." asks two agents side by side)',
      `"${goal.text}"`,
    );
  const baseline =
    figure.name === 'difference' && figure.baseline !== undefined
      ? await scoresIn(figure.baseline, run)
      : undefined;
  const scale = scaleOf(figure, rewardRange, run);
  if (goal.kind === 'claim' && !(goal.bound >= scale.least && goal.bound <= scale.greatest))
    refuseData(`a bound from ${scale.least} to ${scale.greatest} in "${goal.text}"`, `${goal.bound}`);
  const isAsked = (task: Task): boolean => baseline?.has(task.id) ?? true;
  const order = await shuffled(tasks.open(), isAsked, randomSource(seed));
  if (order.length === 0)
    refuseData(`tasks that have scores in the baseline of "${goal.text}"`, `none in ${tasks.name}`);
  const ahead = roundsAhead * concurrency;
  return {
    watch: new GoalWatch({
      goal,
      scale,
      samples,
      tasks: order.length,
      ahead,
      baseline,
      sides: isPair ? 2 : 1,
    }),
    tasks: {
      ...tasks,
      count: order.length,
      open: async function* () {
        yield* order;
      },
    },
  };
}

async function scoresIn(folder: string, run: TaskReduction): Promise<Map<string, number[]>> {
  const record = await readRunRecord(folder);
  if (!isSameReduction(record, run))
    refuseData(
      `a baseline whose scores are of its samples as those of this run are, ${reductionText(run)}`,
      `${reductionText(record)} in ${folder}`,
    );
  const { tasks } = await readScores(folder);
  const scores = [...tasks].map(([taskId, task]) => [taskId, scoresOf(task)] as const);
  return new Map(scores.filter(([, found]) => found.length > 0));
}

/** Fisher and Yates. */
async function shuffled(
  tasks: AsyncIterable<Task>,
  isMeant: (task: Task) => boolean,
  random: () => number,
): Promise<Task[]> {
  const order: Task[] = [];
  for await (const task of tasks) {
    if (!isMeant(task)) continue;
    const at = Math.floor(random() * (order.length + 1));
    if (at < order.length) order.push(order[at]!);
    order[at] = task;
  }
  return order;
}
