import { aNumber, optional, readOptions, refuseOption } from '@art/ground';
import { isAtLeast } from '@art/ground/figures';
import type { TrainingRow } from '@art/trajectories';
import { Tally } from '../result/tally.ts';
import type { HealthCheckResult } from '../result/health-check-result.ts';

export interface LogprobGapOptions {
  /** Mean of |trainer - engine| over tokens that train, in nats. @default 0.05 */
  maxMeanGap?: number | undefined;
  /** Share of tokens whose gap is over 1 nat. @default 0.01 */
  maxOutlierShare?: number | undefined;
}

const rules = {
  maxMeanGap: optional(aNumber({ min: 0 }), 0.05),
  maxOutlierShare: optional(aNumber({ min: 0, max: 1 }), 0.01),
};

/**
 * Compares the logprobs that the engine sampled with to those that the trainer computes for the same tokens and weights. A gap means rows
 * that are shifted, an engine that is quantised, another template, or weights that are not the same.
 * @param trainerLogprobs for each row one list, as long as its `loss_mask`
 * @throws ArtError `ART_INVALID_OPTION` where the lengths do not fit
 */
export function checkLogprobGap(
  rows: readonly TrainingRow[],
  trainerLogprobs: readonly (readonly number[])[],
  options: LogprobGapOptions = {},
): HealthCheckResult {
  const { maxMeanGap, maxOutlierShare } = readOptions('checkLogprobGap', options, rules);
  if (trainerLogprobs.length !== rows.length)
    refuseOption('trainerLogprobs', `a list for each of ${rows.length} rows`, trainerLogprobs.length);
  const outliers = new Tally();
  let sum = 0;
  for (const [at, row] of rows.entries()) {
    const own = trainerLogprobs[at]!;
    if (own.length !== row.loss_mask.length)
      refuseOption(`trainerLogprobs[${at}]`, `a list of ${row.loss_mask.length} logprobs`, own.length);
    for (const [token, trains] of row.loss_mask.entries()) {
      if (trains === 0) continue;
      const gap = Math.abs(own[token]! - row.logprobs[token]!);
      sum += gap;
      outliers.see(!(gap <= 1), { id: row.rollout_id });
    }
  }
  if (outliers.seen === 0) return { check: 'logprob_gap', state: 'not_observed', why: 'no token trains' };
  const mean = sum / outliers.seen;
  // A gap that is no number is no small one.
  if (isAtLeast(maxMeanGap, mean) && outliers.share <= maxOutlierShare)
    return { check: 'logprob_gap', state: 'healthy' };
  return {
    check: 'logprob_gap',
    ...outliers.finding(
      'error',
      `The trainer's logprobs are ${mean.toPrecision(2)} from the engine's on average; ${outliers.of('tokens')} are more than 1 off.`,
      'Do not make this step. See whether rows are shifted by a token, whether the sampler has the weights of the trainer, and whether the engine is quantised.',
    ),
  };
}
