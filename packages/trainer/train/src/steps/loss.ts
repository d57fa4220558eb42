export const lossNames = ['importance_sampling', 'ppo', 'cispo', 'cross_entropy'] as const;

export type LossName = (typeof lossNames)[number];

/**
 * A loss, summed over rows and targets. With `p` the logprob of a target under the weights that are trained, `q` the logprob
 * at which it was sampled, `A` its advantage, `w` its weight and `r = exp(p - q)`:
 *
 * - `importance_sampling`: `-w · r · A`
 * - `ppo`: `-w · min(r · A, clamp(r, clipLow, clipHigh) · A)`
 * - `cispo`: `-w · clamp(r, clipLow, clipHigh) · p · A`, no gradient through the clamped ratio
 * - `cross_entropy`: `-w · p`
 *
 * As Tinker documents them; SageMaker names the same four and documents no formula.
 */
export type Loss =
  | { readonly name: 'importance_sampling' }
  | ({ readonly name: 'ppo' } & RatioBounds)
  | ({ readonly name: 'cispo' } & RatioBounds)
  | { readonly name: 'cross_entropy' };

/** Between what the ratio of a target counts. */
export interface RatioBounds {
  /** Between 0 and 1. */
  readonly clipLow: number;
  /** Between 1 and 10. */
  readonly clipHigh: number;
}
