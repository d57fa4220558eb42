import { readRunRecord, type RunRecord } from '../records/run-record.ts';
import { readScores, scoresOf } from '../results/task-scores.ts';
import { type Difference, estimateDifference } from '../statistics/estimate-difference.ts';

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
  const [baseline, candidate, before, after] = await Promise.all([
    readRunRecord(folders.baseline),
    readRunRecord(folders.candidate),
    scoresByTask(folders.baseline),
    scoresByTask(folders.candidate),
  ]);
  const pairs = [...before].flatMap(([taskId, first]) => {
    const second = after.get(taskId);
    return second === undefined ? [] : [{ taskId, first, second }];
  });
  const changes = pairs.map(({ taskId, first, second }): TaskChange => {
    const [was, is] = [mean(first), mean(second)];
    return { taskId, baseline: was, candidate: is, change: is - was };
  });
  const difference = estimateDifference(pairs, baseline.seed) ?? null;
  return {
    baseline,
    candidate,
    difference,
    direction: directionOf(difference),
    better: changes.filter(({ change }) => change > 0).toSorted((one, other) => other.change - one.change),
    worse: changes.filter(({ change }) => change < 0).toSorted((one, other) => one.change - other.change),
    unchanged: changes.filter(({ change }) => change === 0).length,
    onlyBaseline: [...before.keys()].filter((taskId) => !after.has(taskId)),
    onlyCandidate: [...after.keys()].filter((taskId) => !before.has(taskId)),
  };
}

function directionOf(difference: Difference | null): Comparison['direction'] {
  if (difference === null) return 'unclear';
  if (difference.low > 0) return 'better';
  return difference.high < 0 ? 'worse' : 'unclear';
}

async function scoresByTask(folder: string): Promise<Map<string, number[]>> {
  const { tasks } = await readScores(folder);
  const scored = [...tasks].map(([taskId, task]) => [taskId, scoresOf(task)] as const);
  return new Map(scored.filter(([, scores]) => scores.length > 0));
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
