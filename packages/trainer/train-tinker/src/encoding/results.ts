import { ArtError } from '@art/ground';

/** Result of a pass, in either encoding. */
export interface PassOutput {
  /** By row; undefined where the server gave none. */
  logprobs: (readonly number[] | undefined)[];
  metrics: unknown;
}

export interface SampledSequence {
  tokens: readonly number[];
  logprobs: readonly number[] | undefined;
  /** `stop` or `length`. */
  stopReason: string;
}

export function unknownAnswer(expected: string, got: unknown): ArtError {
  return new ArtError({
    code: 'ART_TINKER_UNKNOWN_ANSWER',
    message: `Expected ${expected}, got ${(JSON.stringify(got) ?? 'nothing').slice(0, 200)}.`,
  });
}
