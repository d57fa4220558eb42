import type { RolloutOutcomeKind } from '@art/protocol';
import type { LinePlace } from './json-lines-file.ts';

/**
 * A line of `samples.jsonl`: one sample whose outcome is known. Where two lines have the same `id`, the later one counts.
 * Members are null where the thing does not exist or is not known.
 */
export interface SampleRecord {
  schema: 'art.sample.v1';
  /** `{taskId}#{sample}` */
  id: string;
  taskId: string;
  /** Which sample of its task, from 0. */
  sample: number;
  tags: string[];
  /** Beginning of what the agent was asked, on one line; null in runs of earlier versions. */
  taskText: string | null;
  /** Never `cancelled`: a sample that its user ended has no line. */
  outcome: RolloutOutcomeKind;
  /** Reward of the whole sample. Null where it was not judged, which is not 0. */
  reward: number | null;
  /** One a turn, where the judge or the agent gave a list. */
  rewards: number[] | null;
  rewardedBy: 'agent' | 'judge' | null;
  /** Named numbers beside the reward, of the agent's `metrics` and of the judge's, which win. */
  metrics: Record<string, number>;
  /**
   * What the statistics count: the reward, or the run's `failureReward` where the agent itself failed. Null where the
   * surroundings failed or nothing judged: such samples are counted apart.
   */
  score: number | null;
  /** What the judge said, in its own words, and what is wrong with the metrics. */
  remarks: string[];
  /** Why the outcome is not `ok`. */
  error: ErrorRecord | null;
  /** Why an `ok` sample has no reward: the judge failed, or the agent gave none. */
  judgeError: ErrorRecord | null;
  sessionId: string | null;
  invocationId: string | null;
  inputId: string | null;
  resultKey: string | null;
  /** Of the last attempt, milliseconds since 1970. */
  submittedAtMs: number | null;
  timings: SampleTimings;
  /** All of them, in order; the last one has the sample's outcome. */
  attempts: AttemptRecord[];
  /** From submission until the outcome was known, of the last attempt. */
  latencyMs: number | null;
  /** Calls of the model, where a gateway captured them. */
  modelCalls: number | null;
  tokens: { prompt: number; completion: number } | null;
  /** In the currency of the price table. */
  cost: number | null;
  /** Its line in `transcripts.jsonl`. */
  transcript: LinePlace | null;
  /** When this line was written, milliseconds since 1970. */
  recordedAtMs: number;
}

/** Milliseconds since `submittedAtMs`. */
export interface SampleTimings {
  /** The agent took the request. */
  acceptedMs: number | null;
  /** The result was written, where that can be seen. */
  storedMs: number | null;
  /** We saw the result. */
  noticedMs: number | null;
  /** The outcome was known. */
  settledMs: number | null;
  /** The session had been stopped. */
  stoppedMs: number | null;
}

export interface AttemptRecord {
  /** From 0. */
  attempt: number;
  outcome: RolloutOutcomeKind;
  sessionId: string | null;
  submittedAtMs: number | null;
  /** Until its outcome was known. */
  settledMs: number | null;
  /** How often the service answered "too many requests". */
  throttled: number;
  /** How often a call was sent again within the attempt. */
  retries: number;
  /** Without its stack. */
  error: ErrorRecord | null;
}

export interface ErrorRecord {
  code: string;
  message: string;
  /** The agent's own traceback where it gave one, else that of our error. */
  stack: string | null;
}

export function sampleId(taskId: string, sample: number): string {
  return `${taskId}#${sample}`;
}
