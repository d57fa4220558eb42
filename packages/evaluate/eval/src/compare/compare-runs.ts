import { figureChange, isAbove } from '@art/ground/figures';
import { readResults, type ResultsRecord } from '../records/results-record.ts';
import { readRunRecord, type RunRecord } from '../records/run-record.ts';
import {
  metricNames,
  metricOf,
  readScores,
  type RunScores,
  scoresOf,
  type TaskScores,
} from '../results/task-scores.ts';
import { plainMean } from '../statistics/clustered-mean.ts';
import { reduceScores } from '../statistics/reduce-scores.ts';
import { type Difference, estimateDifference } from '../statistics/estimate-difference.ts';
import { type DoubtedRun, doubtsOfRun, doubtsOfTasks } from './find-doubts.ts';
import { type Doubt, doubtsOfPair } from '../statistics/pair-doubts.ts';

/** Two runs side by side, paired by task. */
export interface Comparison {
  baseline: RunRecord;
  candidate: RunRecord;
  /** Candidate minus baseline; null where no task has scores in both. */
  difference: Difference | null;
  /** `better` or `worse` where the whole interval lies above or below 0. */
  direction: 'better' | 'worse' | 'unclear';
  /** Differences of the metrics that both have, by the tasks that have them in both. */
  metrics: { name: string; difference: Difference }[];
  /** Tasks whose score changed, the largest changes first. */
  better: TaskChange[];
  worse: TaskChange[];
  unchanged: number;
  /** Tasks that only one of them has scores of, and which are in no figure. */
  onlyBaseline: string[];
  onlyCandidate: string[];
  /** Answer to the goal by which the candidate ended; null without one. It holds at every look, and `difference` at a number of tasks chosen before. */
  goal: ResultsRecord['goal'];
  /** Why the figures cannot be relied on; empty where they can. */
  doubts: Doubt[];
}

/** A task's score in both runs. */
export interface TaskChange {
  taskId: string;
  baseline: number;
  candidate: number;
  change: number;
}

/**
 * Compares two runs by the tasks that both have.
 * @param folders of the runs
 * @throws ArtError `ART_INVALID_OPTION` where one of them is no run
 */
export async function compareRuns(folders: { baseline: string; candidate: string }): Promise<Comparison> {
  const [first, second] = await Promise.all([
    readRun('baseline', folders.baseline),
    readRun('candidate', folders.candidate),
  ]);
  const [before, after] = [scoresByTask(first), scoresByTask(second)];
  const pairs = pairsOf(before, after);
  const changes = pairs.map(({ taskId, ...scores }): TaskChange => {
    const [was, is] = [plainMean(scores.first), plainMean(scores.second)];
    return { taskId, baseline: was, candidate: is, change: figureChange(was, is) };
  });
  const difference = estimateDifference(pairs) ?? null;
  const common = pairs.map(({ taskId }) => taskId);
  const doubts = [
    ...doubtsOfRun(first),
    ...doubtsOfRun(second),
    ...doubtsOfPair(first, second),
    ...(await doubtsOfTasks(first, second, common)),
  ];
  if (difference === null)
    doubts.push({ kind: 'no_tasks', message: 'No task has judged samples in both runs.' });
  return {
    baseline: first.record,
    candidate: second.record,
    difference,
    direction: directionOf(difference),
    metrics: metricDifferences(first.scores, second.scores),
    better: changes.filter(({ change }) => change > 0).toSorted((one, other) => other.change - one.change),
    worse: changes.filter(({ change }) => change < 0).toSorted((one, other) => one.change - other.change),
    unchanged: changes.filter(({ change }) => change === 0).length,
    onlyBaseline: [...before.keys()].filter((taskId) => !after.has(taskId)),
    onlyCandidate: [...after.keys()].filter((taskId) => !before.has(taskId)),
    goal: (await readResults(folders.candidate))?.goal ?? null,
    doubts,
  };
}

function directionOf(difference: Difference | null): Comparison['direction'] {
  if (difference === null) return 'unclear';
  if (isAbove(difference.low, 0)) return 'better';
  return isAbove(0, difference.high) ? 'worse' : 'unclear';
}

async function readRun(name: DoubtedRun['name'], folder: string): Promise<DoubtedRun> {
  const [record, scores] = await Promise.all([readRunRecord(folder), readScores(folder)]);
  const samples = [...scores.tasks.values()].flatMap((task) => [...task.samples.values()]);
  const judges = samples.flatMap(({ rewardedBy, judge }) =>
    rewardedBy === null ? [] : [rewardedBy === 'agent' ? null : (judge ?? undefined)],
  );
  const outcomes = samples.map(({ outcome }) => outcome);
  return { name, folder, record, scores, judges: new Set(judges), outcomes: new Set(outcomes) };
}

function scoresByTask({ record, scores }: DoubtedRun): Map<string, readonly number[]> {
  return valuesByTask(scores, (task) => reduceScores(scoresOf(task), record));
}

function valuesByTask(
  { tasks }: RunScores,
  valuesOf: (task: TaskScores) => readonly number[],
): Map<string, readonly number[]> {
  const found = [...tasks].map(([taskId, task]) => [taskId, valuesOf(task)] as const);
  return new Map(found.filter(([, values]) => values.length > 0));
}

function pairsOf(
  before: ReadonlyMap<string, readonly number[]>,
  after: ReadonlyMap<string, readonly number[]>,
) {
  return [...before].flatMap(([taskId, first]) => {
    const second = after.get(taskId);
    return second === undefined ? [] : [{ taskId, first, second }];
  });
}

function metricDifferences(before: RunScores, after: RunScores): Comparison['metrics'] {
  return metricNames(before.tasks.values()).flatMap((name) => {
    const valuesOf = (task: TaskScores): number[] => metricOf(task, name);
    const difference = estimateDifference(
      pairsOf(valuesByTask(before, valuesOf), valuesByTask(after, valuesOf)),
    );
    return difference === undefined ? [] : [{ name, difference }];
  });
}
