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
  /** Time in which at least one sample was under way; null where that of none is known. */
  wallMs: number | null;
}

/**
 * Reads the samples of a run once; of two lines about one sample the later one counts. Tasks and samples come in the order of their names
 * and numbers, so that a seed gives the same interval in whatever order they were done.
 */
export async function readScores(folder: string): Promise<RunScores> {
  const scores: RunScores = { tasks: new Map(), wallMs: null };
  const spans: (readonly [number, number])[] = [];
  for await (const { record } of readSamples(folder)) {
    addScore(scores, record);
    const { attempts, submittedAtMs, recordedAtMs } = record;
    const submitted = attempts[0]?.submittedAtMs ?? submittedAtMs;
    if (submitted !== null) spans.push([submitted, recordedAtMs]);
  }
  if (spans.length > 0) scores.wallMs = coveredMs(spans);
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
}

/** The length of what intervals cover together: a run that was resumed took no time in between. */
function coveredMs(spans: readonly (readonly [number, number])[]): number {
  let [sum, until] = [0, -Infinity];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return sum;
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
