import { isAbove } from '@art/ground/figures';
import type { RollBackSettings } from '../run/training-choices.ts';

/**
 * True if the last evaluations are by more than a bound below the best. One without a score says nothing.
 * @param since the scores behind the best one
 */
export function fell(
  best: number | undefined,
  since: readonly (number | undefined)[],
  { drop, evaluations }: RollBackSettings,
): boolean {
  const last = since.filter((score) => score !== undefined).slice(-evaluations);
  return (
    best !== undefined && last.length === evaluations && last.every((score) => isAbove(best - score, drop))
  );
}
