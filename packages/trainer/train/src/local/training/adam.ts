import type { AdamParams } from '../../steps/index.ts';
import type { Floats } from '../numbers/gemm.ts';
import type { PolicyWeights } from '../model/policy-weights.ts';

/** The two running means that Adam has of each weight's gradient. */
export interface AdamMoments {
  mean: Floats;
  square: Floats;
}

/** Adam with decoupled weight decay (AdamW), as PyTorch computes it. */
export class Adam {
  readonly #weights: PolicyWeights;
  readonly moments = new Map<string, AdamMoments>();
  /** Steps that were made. */
  steps = 0;

  constructor(weights: PolicyWeights) {
    this.#weights = weights;
    for (const [name, { data, grad }] of weights) {
      if (grad === undefined) continue;
      const Numbers = data instanceof Float64Array ? Float64Array : Float32Array;
      this.moments.set(name, {
        mean: new Numbers(data.length),
        square: new Numbers(data.length),
      });
    }
  }

  /** Applies the gathered gradients and clears them. The norm is that before it was cut. */
  step(params: AdamParams): { gradNorm: number } {
    const { learningRate, beta1, beta2, eps, weightDecay, gradClipNorm } = params;
    this.steps += 1;
    let squares = 0;
    for (const { grad } of this.#weights.values())
      if (grad !== undefined) for (const slope of grad) squares += slope * slope;
    const gradNorm = Math.sqrt(squares);
    const cut = gradClipNorm > 0 ? Math.min(1, gradClipNorm / (gradNorm + 1e-6)) : 1;
    const rate = learningRate / (1 - beta1 ** this.steps);
    const spread = Math.sqrt(1 - beta2 ** this.steps);
    for (const [name, { mean, square }] of this.moments) {
      const { data, grad } = this.#weights.get(name)!;
      for (let at = 0; at < data.length; at += 1) {
        const slope = grad![at]! * cut;
        mean[at] = beta1 * mean[at]! + (1 - beta1) * slope;
        square[at] = beta2 * square[at]! + (1 - beta2) * slope * slope;
        const step = (rate * mean[at]!) / (Math.sqrt(square[at]!) / spread + eps);
        data[at] = data[at]! * (1 - learningRate * weightDecay) - step;
      }
      grad!.fill(0);
    }
    return { gradNorm };
  }
}
