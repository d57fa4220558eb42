import { refuseData } from '@art/ground';
import { readRunRecord } from '../records/run-record.ts';
import { readScores, scoresOf } from '../results/task-scores.ts';
import { randomSource } from '../statistics/random-source.ts';
import { isSameReduction, type Reduction, reductionText } from '../statistics/reduce-scores.ts';
import type { Task } from '../tasks/task.ts';
import type { TaskSource } from '../tasks/task-source.ts';
import { scaleOf } from './goal-scale.ts';
import { GoalWatch } from './goal-watch.ts';
import { readGoal } from './goal.ts';

/** Options of a run that a goal needs. */
export interface GoalOptions {
  until?: string | undefined;
  rewardRange?: readonly [number, number] | undefined;
  /** Samples of each task, and what makes a score of them. */
  run: Reduction;
  seed?: number | undefined;
  concurrency: number;
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
  const { until, rewardRange = [0, 1], run, seed = 0, concurrency } = options;
  const { samples } = run;
  if (until === undefined) return undefined;
  const goal = readGoal(until);
  if (tasks.count === undefined)
    refuseData(
      'tasks that can be read twice, as their order is drawn',
      `${tasks.name}, which can be read once`,
    );
  if (goal.figure.name === 'pass' && goal.figure.k > samples)
    refuseData(`at least ${goal.figure.k} samples of each task for "${goal.text}"`, `${samples}`);
  const baseline =
    goal.figure.name === 'difference'
      ? await scoresIn(goal.figure.baseline, run)
      : new Map<string, number[]>();
  const scale = scaleOf(goal.figure, { rewardRange, run, baseline });
  if (goal.kind === 'claim' && !(goal.bound >= scale.least && goal.bound <= scale.greatest))
    refuseData(`a bound from ${scale.least} to ${scale.greatest} in "${goal.text}"`, `${goal.bound}`);
  const isPaired = (task: Task): boolean => goal.figure.name !== 'difference' || baseline.has(task.id);
  const order = await shuffled(tasks.open(), isPaired, randomSource(seed));
  if (order.length === 0)
    refuseData(`tasks that have scores in the baseline of "${goal.text}"`, `none in ${tasks.name}`);
  const ahead = roundsAhead * concurrency;
  return {
    watch: new GoalWatch({ goal, scale, samples, tasks: order.length, ahead }),
    tasks: {
      ...tasks,
      count: order.length,
      open: async function* () {
        yield* order;
      },
    },
  };
}

async function scoresIn(folder: string, run: Reduction): Promise<Map<string, number[]>> {
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
