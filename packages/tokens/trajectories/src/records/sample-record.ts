import type { LinePlace } from '@art/ground';
import type { ErrorRecord, RolloutRecord, TimingsRecord } from './rollout-record.ts';

/**
 * A rollout with a task and a verdict: a line of the `samples.jsonl` of an evaluation. The transcript stands in another file. Where two
 * lines have the same `id`, the later one counts.
 */
export interface SampleRecord extends RolloutRecord, VerdictRecord {
  taskId: string;
  /** Which sample of its task, from 0. A rollout that is no sample counts as the only one of a task. */
  sample: number;
  tags: string[];
  /** Beginning of what the agent was asked, on one line; null where there is none. */
  taskText: string | null;
  reward: number | null;
  timings: TimingsRecord & { storedMs: number | null };
  /** From submission until the outcome was known, of the last attempt. */
  latencyMs: number | null;
  modelCalls: number | null;
  failedCalls: number | null;
  /** Calls that were not asked, as their answers were kept; absent where there are none. Tokens and cost count them as all others. */
  keptAnswers?: number;
  tokens: { prompt: number; completion: number } | null;
  /** In the currency of the price table. */
  cost: number | null;
  /** Its line in `transcripts.jsonl`. */
  transcript: LinePlace | null;
  /** When its first line was written, milliseconds since 1970; a later judgement does not change it. */
  recordedAtMs: number;
}

/** The judgement of a sample. Its reward is null where it was not judged, which is not 0. */
export interface VerdictRecord {
  reward: number | null;
  /** One a turn, where the judge or the agent gave a list. */
  rewards: number[] | null;
  rewardedBy: 'agent' | 'judge' | null;
  /** The judge that gave the reward, as `run.json` names it; null where none did. */
  judge: string | null;
  /** True where the judgement is a kept one, of an earlier time. */
  keptJudgement?: boolean;
  /** Named numbers beside the reward, of the agent's `metrics` and of the judge's, which win. */
  metrics: Record<string, number>;
  /**
   * The number that the statistics count: the reward, or the run's `failureReward` where the agent itself failed. Null where the
   * infrastructure failed or nothing judged: such samples are excluded.
   */
  score: number | null;
  /** Words of the judge, and problems of the metrics. */
  remarks: string[];
  /** Why an `ok` sample has no reward: the judge failed, or the agent gave none. */
  judgeError: ErrorRecord | null;
}

export function sampleId(taskId: string, sample: number): string {
  return `${taskId}#${sample}`;
}
