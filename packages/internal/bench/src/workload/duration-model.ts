import { randomLogNormal, randomPareto, randomUniform } from 'd3-random';

/** How long agents work on their rollouts, in milliseconds. */
export type DurationModel =
  | { kind: 'fixed'; ms: number }
  | { kind: 'uniform'; fromMs: number; toMs: number }
  /** `sigma` is that of the duration's logarithm: two thirds lie within a factor of e^sigma of the median. */
  | { kind: 'lognormal'; medianMs: number; sigma: number }
  /** Heavy tail: the share that takes longer than t falls like t^-alpha; cut off at `maxMs`. */
  | { kind: 'pareto'; minMs: number; alpha: number; maxMs: number };

/**
 * A source of durations.
 * @param random Uniform in [0, 1)
 */
export function durationSource(model: DurationModel, random: () => number): () => number {
  switch (model.kind) {
    case 'fixed':
      return () => model.ms;
    case 'uniform':
      return randomUniform.source(random)(model.fromMs, model.toMs);
    case 'lognormal':
      return randomLogNormal.source(random)(Math.log(model.medianMs), model.sigma);
    case 'pareto': {
      const draw = randomPareto.source(random)(model.alpha);
      return () => Math.min(model.maxMs, model.minMs * draw());
    }
  }
}

/** A duration model in words. */
export function describeDurations(model: DurationModel): string {
  switch (model.kind) {
    case 'fixed':
      return model.ms === 0 ? 'instant' : seconds(model.ms);
    case 'uniform':
      return `${seconds(model.fromMs)} to ${seconds(model.toMs)}`;
    case 'lognormal':
      return `lognormal, median ${seconds(model.medianMs)}, sigma ${model.sigma}`;
    case 'pareto':
      return `Pareto, at least ${seconds(model.minMs)}, alpha ${model.alpha}, at most ${seconds(model.maxMs)}`;
  }
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}
