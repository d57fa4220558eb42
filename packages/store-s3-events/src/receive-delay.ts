const firstDelayMs = 500;
const longestDelayMs = 30_000;

/**
 * How long to wait after the n-th failed receive in a row: doubling, and anywhere in the upper half, so that the
 * receivers of many clients do not come back together.
 * @param random a number from 0 to 1
 */
export function receiveDelayMs(failures: number, random: number): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1));
  return ceiling * (0.5 + random / 2);
}
