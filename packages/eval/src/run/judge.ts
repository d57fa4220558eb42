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

/** A reward as it was given, and the one number of it that counts: the last. */
export interface Judgement {
  reward: number;
  rewards: number[] | null;
  remarks: string[];
}

/** @throws whatever the judge throws, and a TypeError where it gives no number */
export async function judgeSample(
  judge: Judge,
  sample: JudgedSample,
  signal: AbortSignal | undefined,
): Promise<Judgement> {
  const remarks: string[] = [];
  const context: JudgeContext = { signal, remark: (text) => remarks.push(text) };
  const given: unknown =
    typeof judge === 'function' ? await judge(sample, context) : await judge.compute(sample, context);
  const list: unknown[] = Array.isArray(given) ? given : [given];
  if (list.length === 0 || !list.every((value): value is number => Number.isFinite(value)))
    throw new TypeError(
      `Expected the judge to give a finite number or a list of them, got ${String(given)}.`,
    );
  return { reward: list.at(-1)!, rewards: Array.isArray(given) ? list : null, remarks };
}
