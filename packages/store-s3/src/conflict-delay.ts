/**
 * How often a conditional put that met another one (409 ConditionalRequestConflict) is sent in all. The SDK does not
 * repeat it; S3 asks its callers to: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
export const maxConflictAttempts = 8;

const firstDelayMs = 25;
const longestDelayMs = 1_000;

/**
 * How long to wait after the n-th conflict: doubling, and anywhere in the upper half, so that the same writers do not
 * meet again.
 * @param random a number from 0 to 1
 */
export function conflictDelayMs(attempt: number, random: number): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return ceiling * (0.5 + random / 2);
}
