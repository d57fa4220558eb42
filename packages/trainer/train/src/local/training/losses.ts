import type { Loss, StepRow } from '../../steps/index.ts';

/** The losses of a row's targets, and what each would change by with the logprob of its target. */
export interface TargetLosses {
  total: number;
  slopes: Float64Array;
}

/** `Loss` has the formulas. `current` are the logprobs of the targets under the weights that are trained. */
export function targetLosses(row: StepRow, current: ArrayLike<number>, loss: Loss): TargetLosses {
  const slopes = new Float64Array(row.targets.length);
  let total = 0;
  for (let at = 0; at < slopes.length; at += 1) {
    const weight = row.weights[at]!;
    if (weight === 0) continue;
    const p = current[at]!;
    if (loss.name === 'cross_entropy') {
      total -= weight * p;
      slopes[at] = -weight;
      continue;
    }
    const gain = weight * row.advantages![at]!;
    const ratio = Math.exp(p - row.logprobs![at]!);
    if (loss.name === 'importance_sampling') {
      total -= ratio * gain;
      slopes[at] = -ratio * gain;
      continue;
    }
    const clipped = Math.min(Math.max(ratio, loss.clipLow), loss.clipHigh);
    if (loss.name === 'cispo') {
      total -= clipped * p * gain;
      slopes[at] = -clipped * gain;
      continue;
    }
    // What the clipped ratio decides does not change with the logprob.
    const isClipped = clipped * gain < ratio * gain;
    total -= isClipped ? clipped * gain : ratio * gain;
    slopes[at] = isClipped ? 0 : -ratio * gain;
  }
  return { total, slopes };
}
