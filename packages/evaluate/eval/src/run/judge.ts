import type { TranscriptRecord } from '../records/transcript-record.ts';
import type { Task } from '../tasks/task.ts';

/** Sample that a judge looks at. */
export interface JudgedSample {
  task: Task;
  /** Which sample of the task, from 0. */
  sample: number;
  /** Document that the agent returned. */
  document: Record<string, unknown>;
  /** Conversation, where a gateway captured it. */
  transcript: TranscriptRecord;
}

/** Means of a judge besides judging. */
export interface JudgeContext {
  signal?: AbortSignal | undefined;
  /** Keeps the judge's words with the sample. */
  remark?: ((text: string) => void) | undefined;
  /** Counts a request to a model for the ceilings of the run. */
  onUsage?: ((usage: { model: string; promptTokens: number; completionTokens: number }) => void) | undefined;
  /** Called where the judgement is a kept one. */
  onKept?: (() => void) | undefined;
}

/** Result of a judge: the reward, of a list its last number; or that with named numbers beside it. */
export type Judgement = number | number[] | { reward: number | number[]; metrics?: Record<string, number> };

/** A `RewardFunction` of `@art/reward` over `JudgedSample`, or a function. It throws where it cannot judge, which is never a 0. */
export type Judge =
  | { compute: (sample: JudgedSample, context: JudgeContext) => Promise<Judgement> }
  | ((sample: JudgedSample, context: JudgeContext) => Judgement | Promise<Judgement>);
