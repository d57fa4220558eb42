import type { RolloutOutcomeKind } from '@art/protocol';
import type { ErrorRecord, OutcomeRecord, TimingsRecord } from '@art/rollout';
import type { LinePlace } from './json-lines-file.ts';

/**
 * A line of `samples.jsonl`: what became of one sample, and what was said of it. Its reward is null where it was not judged, which is
 * not 0. Where two lines have the same `id`, the later one counts.
 * Members are null where the thing does not exist or is not known.
 */
export interface SampleRecord extends Omit<OutcomeRecord, 'rewardProblem'> {
  schema: 'art.sample.v1';
  /** `{taskId}#{sample}` */
  id: string;
  taskId: string;
  /** Which sample of its task, from 0. */
  sample: number;
  tags: string[];
  /** Beginning of what the agent was asked, on one line; null where there is none, as for a rollout that is no sample. */
  taskText: string | null;
  /** Never `cancelled`: a sample that its user ended has no line. */
  outcome: RolloutOutcomeKind;
  /** One a turn, where the judge or the agent gave a list. */
  rewards: number[] | null;
  rewardedBy: 'agent' | 'judge' | null;
  /** The judge that gave the reward, as `run.json` names it; null where none did. Absent in runs of earlier versions. */
  judge?: string | null;
  /** Named numbers beside the reward, of the agent's `metrics` and of the judge's, which win. */
  metrics: Record<string, number>;
  /**
   * What the statistics count: the reward, or the run's `failureReward` where the agent itself failed. Null where the
   * infrastructure failed or nothing judged: such samples are excluded.
   */
  score: number | null;
  /** What the judge said, in its own words, and what is wrong with the metrics. */
  remarks: string[];
  /** Why an `ok` sample has no reward: the judge failed, or the agent gave none. */
  judgeError: ErrorRecord | null;
  inputId: string | null;
  timings: SampleTimings;
  /** From submission until the outcome was known, of the last attempt. */
  latencyMs: number | null;
  /** Calls of the model, where a gateway captured them. */
  modelCalls: number | null;
  /** Calls of the model that failed; they are not among `modelCalls`. Absent in runs of earlier versions. */
  failedCalls?: number | null;
  tokens: { prompt: number; completion: number } | null;
  /** In the currency of the price table. */
  cost: number | null;
  /** Its line in `transcripts.jsonl`. */
  transcript: LinePlace | null;
  /** When this line was written, milliseconds since 1970. */
  recordedAtMs: number;
}

export interface SampleTimings extends TimingsRecord {
  /** The result was written, where that can be seen. */
  storedMs: number | null;
}

export function sampleId(taskId: string, sample: number): string {
  return `${taskId}#${sample}`;
}
