import { ArtError } from '@art/protocol';

/** @throws ArtError `ART_JUDGE_FAILED`, always */
export function judgeFailed(expected: string, got: string, cause?: unknown): never {
  throw new ArtError({
    code: 'ART_JUDGE_FAILED',
    message: `Expected ${expected}, got ${got}. What cannot be judged is no 0.`,
    cause,
  });
}
