import type { TranscriptRecord } from '../records/transcript-record.ts';
import type { Task } from '../tasks/task.ts';

/** What a judge looks at. */
export interface JudgedSample {
  task: Task;
  /** Which sample of the task, from 0. */
  sample: number;
  /** What the agent returned. */
  document: Record<string, unknown>;
  /** What was said, where a gateway captured it. */
  transcript: TranscriptRecord;
}

/** What a judge can do besides judging. */
export interface JudgeContext {
  signal?: AbortSignal | undefined;
  /** Keeps the judge's words with the sample. */
  remark?: ((text: string) => void) | undefined;
}

/** A `RewardFunction` of `@art/reward` over `JudgedSample`, or a function. It throws where it cannot judge, which is never a 0. */
export type Judge =
  | { compute: (sample: JudgedSample, context: JudgeContext) => Promise<number | number[]> }
  | ((sample: JudgedSample, context: JudgeContext) => number | number[] | Promise<number | number[]>);
