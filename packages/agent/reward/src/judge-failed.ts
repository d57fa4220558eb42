import { ArtError } from '@art/ground';

/**
 * In the handler of an agent it is a failure of the infrastructure, as its cause says: never a 0 of the policy.
 * @throws ArtError `ART_JUDGE_FAILED`, always
 */
export function judgeFailed(expected: string, got: string, cause?: unknown): never {
  const message = `Expected ${expected}, got ${got}. What cannot be judged is no 0.`;
  throw new ArtError({
    code: 'ART_JUDGE_FAILED',
    message,
    cause: new ArtError({ code: 'ART_INFRASTRUCTURE_ERROR', message, cause }),
  });
}
