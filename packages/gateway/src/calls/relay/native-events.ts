import type { NativeAnswer } from './native-answer.ts';

/** What was read of a stream when it ended. */
export interface NativeEnd {
  /** Undefined where the engine has said nothing. */
  answer: NativeAnswer | undefined;
  /** Whether the answer came to its end. */
  ended: boolean;
}

/** Reads the events of a wire's stream. */
export interface NativeEvents {
  /** Takes an event's data. @returns whether it is the last one of an answer, or of a failure */
  take(event: Readonly<Record<string, unknown>>): boolean;
  end(): NativeEnd;
}
