import type { RolloutOutcomeKind } from '@art/protocol';
import type { SampleRecord } from '@art/trajectories';
import { readSamples } from '../records/read-samples.ts';

/** Members of a sample that the figures need. */
export interface SampleScore {
  outcome: RolloutOutcomeKind;
  score: number | null;
  metrics: Readonly<Record<string, number>>;
  judgeErrorCode: string | null;
  rewardedBy: SampleRecord['rewardedBy'];
  judge: SampleRecord['judge'];
  isKept: boolean;
  /** Calls whose answers were kept. */
  keptAnswers: number;
  latencyMs: number | null;
  modelCalls: number | null;
  tokens: SampleRecord['tokens'];
  cost: number | null;
  /** Outcomes of attempts that were followed by another one. */
  retried: readonly RolloutOutcomeKind[];
  throttled: number;
}

export interface TaskScores {
  tags: string[];
  /** By the number of the sample. */
  samples: Map<number, SampleScore>;
}

/** The scores of a run as they are needed together: a few numbers for each sample. */
export interface RunScores {
  tasks: Map<string, TaskScores>;
  firstSubmittedAtMs: number | undefined;
  lastRecordedAtMs: number | undefined;
}

/**
 * Reads the samples of a run once; of two lines about one sample the later one counts. Tasks and samples come in the order of their names
 * and numbers, so that a seed gives the same interval in whatever order they were done.
 */
export async function readScores(folder: string): Promise<RunScores> {
  const scores: RunScores = { tasks: new Map(), firstSubmittedAtMs: undefined, lastRecordedAtMs: undefined };
  for await (const { record } of readSamples(folder)) addScore(scores, record);
  for (const task of scores.tasks.values())
    task.samples = new Map([...task.samples].toSorted(([first], [second]) => first - second));
  const inOrder = new Intl.Collator('en', { numeric: true });
  scores.tasks = new Map([...scores.tasks].toSorted(([first], [second]) => inOrder.compare(first, second)));
  return scores;
}

function addScore(scores: RunScores, record: SampleRecord): void {
  let task = scores.tasks.get(record.taskId);
  if (task === undefined) scores.tasks.set(record.taskId, (task = { tags: record.tags, samples: new Map() }));
  const { outcome, score, metrics, judgeError, latencyMs, modelCalls, tokens, cost, attempts } = record;
  task.samples.set(record.sample, {
    outcome,
    score,
    metrics,
    judgeErrorCode: judgeError?.code ?? null,
    rewardedBy: record.rewardedBy,
    judge: record.judge,
    isKept: record.keptJudgement === true,
    keptAnswers: record.keptAnswers ?? 0,
    latencyMs,
    modelCalls,
    tokens,
    cost,
    retried: attempts.slice(0, -1).map((attempt) => attempt.outcome),
    throttled: attempts.reduce((total, attempt) => total + attempt.throttled, 0),
  });
  const submitted = attempts[0]?.submittedAtMs ?? record.submittedAtMs ?? undefined;
  if (submitted !== undefined)
    scores.firstSubmittedAtMs = Math.min(submitted, scores.firstSubmittedAtMs ?? submitted);
  scores.lastRecordedAtMs = Math.max(record.recordedAtMs, scores.lastRecordedAtMs ?? 0);
}

/** A metric's values of a task; samples without it, failures among them, have none. */
export function metricOf(task: TaskScores, name: string): number[] {
  return [...task.samples.values()].flatMap(({ metrics }) =>
    Object.hasOwn(metrics, name) ? [metrics[name]!] : [],
  );
}

/** All metrics that any sample has, by name. */
export function metricNames(tasks: Iterable<TaskScores>): string[] {
  const names = new Set<string>();
  for (const task of tasks)
    for (const { metrics } of task.samples.values()) for (const name of Object.keys(metrics)) names.add(name);
  return [...names].toSorted();
}

export function scoresOf(task: TaskScores): number[] {
  return [...task.samples.values()].flatMap(({ score }) => (score === null ? [] : [score]));
}
