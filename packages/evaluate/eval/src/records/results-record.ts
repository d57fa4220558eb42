import { plainJson } from '@art/ground';
import type { Ceiling, CeilingUnit, RolloutOutcomeKind } from '@art/protocol';
import { readRecordFile } from './read-json-file.ts';
import { replaceRunFile, runPath } from './run-folder.ts';

/** An estimate with its 95 % interval. */
export interface Estimate {
  value: number;
  /** -Infinity with the method `none`, which is a text in JSON. */
  low: number;
  high: number;
  method: IntervalMethod;
  /** Standard error of the estimate, with tasks as clusters. Not a number for a single task. */
  standardError: number;
  /** Samples and tasks that it rests on. */
  samples: number;
  tasks: number;
}

/**
 * - `wilson`: Wilson's score interval; every task has one sample, which passed or not.
 * - `wilson-clustered`: the same over the number of independent samples that would have the clustered standard error.
 * - `t`: Student's t over tasks; ends at 0 and 1 where all scores lie between them.
 * - `unseen`: all tasks agree, which says nothing of their spread: how many others there may be, by Clopper and Pearson.
 * - `none`: a single task says nothing about others, nor do tasks that agree on a score beyond 0 and 1.
 */
export type IntervalMethod = 'wilson' | 'wilson-clustered' | 't' | 'unseen' | 'none';

/** `results.json`: the figures of a run. */
export interface ResultsRecord {
  schema: 'art.results.v1';
  runId: string;
  seed: number;
  /** True if every wanted sample has a line; null where the number of tasks is not known. */
  isComplete: boolean | null;
  tasks: number;
  samples: {
    /** Null where the number of tasks is not known. */
    wanted: number | null;
    recorded: number;
    /** Samples that the figures rest on. */
    scored: number;
  };
  outcomes: Partial<Record<RolloutOutcomeKind, number>>;
  /** Samples that could not be judged: failures of the infrastructure and of judges. They are in no figure. */
  excluded: {
    count: number;
    share: number;
    /** How many there may be, as a number or as a share below 1. */
    limit: number;
    /** False where there are more: the mean is then not to be trusted. */
    isTrusted: boolean;
    byReason: Record<string, number>;
  };
  /** Each sample counts once; with a reducer each task. */
  mean: PassEstimate | null;
  /** Each task counts once, as in a comparison of two runs. Absent in runs of earlier versions. */
  meanOfTasks?: number | null;
  /** At least one of k samples passes. */
  passAt: KEstimate[];
  /** All of k samples pass. */
  passPower: KEstimate[];
  /** Calls of the model that were not asked, as their answers were kept. Absent in runs of earlier versions. */
  keptAnswers?: number;
  /** Judgements that were not made for this run. Absent in runs of earlier versions. */
  keptJudgements?: number;
  /** Estimates over the samples that have the metric. */
  metrics: MetricEstimate[];
  byTag: { tag: string; tasks: number; samples: number; mean: PassEstimate | null }[];
  /** Tasks with the lowest score, worst first; at most ten. `mean` is the score that the run's reducer makes of `scores`. */
  worst: {
    taskId: string;
    mean: number;
    scores: number[];
    outcomes: Partial<Record<RolloutOutcomeKind, number>>;
  }[];
  /** Spread over samples without kept answers. */
  latencyMs: Spread | null;
  /** Sums, as tokens and cost, over the last attempt of each sample; null where those of a sample are not known. */
  modelCalls: number | null;
  tokens: { prompt: number; completion: number } | null;
  /** In the currency of the price table, kept answers at their price; null without one, or where that of a sample is not known. */
  cost: { total: number; perSample: Spread } | null;
  /** Attempts that were followed by another one, and answers of "too many requests". */
  retried: number;
  throttled: number;
  /** Outcomes of attempts that were followed by another one. */
  retriedAfter: Partial<Record<RolloutOutcomeKind, number>>;
  /** Time in which at least one sample was under way. */
  wallMs: number | null;
  /** Null for a run without a goal. */
  goal: GoalResult | null;
  /** Null for a run without ceilings. Absent in runs of earlier versions. */
  ceiling?: CeilingResult | null;
}

/** Spending of a run with ceilings. */
export interface CeilingResult {
  /** Ceiling of the whole run; empty where only samples are bounded. */
  ceiling: Ceiling;
  /** Sum over all of its processes, as the gateway has counted. */
  spent: Record<CeilingUnit, number>;
  /** Why the run has ended before all samples were there; null where it has not. */
  reached: { unit: CeilingUnit; message: string } | null;
}

/** The chance of k samples. */
export interface PassEstimate extends Estimate {
  /**
   * The figure of all tasks, were the lost samples of those that have fewer than k scores failed or passed, and how many such tasks there are.
   * `value` is of the others. Null where there are none; absent in runs of earlier versions.
   */
  bounds?: { low: number; high: number; tasks: number } | null;
}

export interface KEstimate extends PassEstimate {
  k: number;
}

export interface MetricEstimate extends Estimate {
  name: string;
}

export interface Spread {
  median: number;
  p95: number;
  max: number;
}

export async function writeResults(folder: string, results: ResultsRecord): Promise<void> {
  await replaceRunFile(folder, 'results', `${plainJson(results, 2)}\n`);
}

/** Undefined where the run has none yet. */
export function readResults(folder: string): Promise<ResultsRecord | undefined> {
  return readRecordFile(runPath(folder, 'results'), 'art.results.v1');
}

/**
 * Why a run with a goal has ended.
 * - `decided`: the goal holds with 95 %.
 * - `refuted`: its opposite holds with 95 %.
 * - `futile`: the tasks that are left would hardly show it.
 * - `ceiling`: there are no further tasks, or the ceiling of the run is reached.
 */
export type GoalEnd = 'decided' | 'refuted' | 'futile' | 'ceiling';

/** The answer of a run to its goal. The run may be looked at after each task: all of it holds at every number of tasks. */
export interface GoalResult {
  /** As it was given: `mean >= 0.8`. */
  goal: string;
  end: GoalEnd;
  /** Why nothing can be said; null where it can. */
  problem: string | null;
  /** Tasks that the answer rests on. */
  tasks: number;
  /** Mean over these tasks of the figure; null without tasks. */
  value: number | null;
  /** Ends of its interval, at every look: of a claim each with 95 %, of `width` both together. */
  low: number | null;
  high: number | null;
  /** About how many samples more would show it, if the figure is what it looks like, and what they would cost; null where none would, or it is shown. */
  missingSamples: number | null;
  missingCost: number | null;
}
