import { readRunRecord, type RunRecord } from '../records/run-record.ts';
import { readScores, type RunScores, scoresOf } from '../results/task-scores.ts';
import { type Difference, estimateDifference } from '../statistics/estimate-difference.ts';
import { type Doubt, type DoubtedRun, doubtsOfRun, doubtsOfTasks } from './find-doubts.ts';

/** Two runs side by side, paired by task. */
export interface Comparison {
  baseline: RunRecord;
  candidate: RunRecord;
  /** Candidate minus baseline; null where no task has scores in both. */
  difference: Difference | null;
  /** Whether the whole interval lies above or below 0. */
  direction: 'better' | 'worse' | 'unclear';
  /** Tasks whose mean score changed, the largest changes first. */
  better: TaskChange[];
  worse: TaskChange[];
  unchanged: number;
  /** Tasks that only one of them has scores of, and which are in no figure. */
  onlyBaseline: string[];
  onlyCandidate: string[];
  /** Why the figures cannot be relied on; empty where they can. */
  doubts: Doubt[];
}

/** A task's mean scores in both runs. */
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
  const [before, after] = [scoresByTask(first.scores), scoresByTask(second.scores)];
  const pairs = [...before].flatMap(([taskId, was]) => {
    const is = after.get(taskId);
    return is === undefined ? [] : [{ taskId, first: was, second: is }];
  });
  const changes = pairs.map(({ taskId, ...scores }): TaskChange => {
    const [was, is] = [mean(scores.first), mean(scores.second)];
    return { taskId, baseline: was, candidate: is, change: is - was };
  });
  const difference = estimateDifference(pairs) ?? null;
  const common = pairs.map(({ taskId }) => taskId);
  const doubts = [
    ...doubtsOfRun(first),
    ...doubtsOfRun(second),
    ...(await doubtsOfTasks(first, second, common)),
  ];
  if (difference === null)
    doubts.push({ kind: 'no_tasks', message: 'No task has judged samples in both runs.' });
  return {
    baseline: first.record,
    candidate: second.record,
    difference,
    direction: directionOf(difference),
    better: changes.filter(({ change }) => change > 0).toSorted((one, other) => other.change - one.change),
    worse: changes.filter(({ change }) => change < 0).toSorted((one, other) => one.change - other.change),
    unchanged: changes.filter(({ change }) => change === 0).length,
    onlyBaseline: [...before.keys()].filter((taskId) => !after.has(taskId)),
    onlyCandidate: [...after.keys()].filter((taskId) => !before.has(taskId)),
    doubts,
  };
}

function directionOf(difference: Difference | null): Comparison['direction'] {
  if (difference === null) return 'unclear';
  if (difference.low > 0) return 'better';
  return difference.high < 0 ? 'worse' : 'unclear';
}

async function readRun(name: DoubtedRun['name'], folder: string): Promise<DoubtedRun> {
  const [record, scores] = await Promise.all([readRunRecord(folder), readScores(folder)]);
  return { name, folder, record, scores };
}

function scoresByTask({ tasks }: RunScores): Map<string, number[]> {
  const scored = [...tasks].map(([taskId, task]) => [taskId, scoresOf(task)] as const);
  return new Map(scored.filter(([, scores]) => scores.length > 0));
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
