import { ArtError } from '@art/ground';

/** The factor by which the usual difference of two engines varies from step to step. */
const noiseVaries = 3;
/** A sampler that is one step behind differs by about what a step changes. */
const shareOfChange = 0.5;
const stepsInARow = 2;

/**
 * Notices a sampler that serves the weights before the newest. The gap that this leaves depends on the learning rate: it is compared with what a
 * step was seen to change, beyond what sampler and trainer differed by before the first step.
 */
export class StaleSamplerGuard {
  #noise: number | undefined;
  #change: number | undefined;
  #beyond = 0;

  /** Hears what a step changed the logprob of a trained token by, on average. */
  expect(change: number): void {
    this.#change = change;
  }

  /** @param gap of a pass over rows of the newest weights @throws ArtError `ART_TRAIN_LOGPROB_GAP` */
  check(gap: number | undefined, step: number): void {
    if (gap === undefined) return;
    this.#noise ??= gap;
    if (this.#change === undefined || this.#change === 0) return;
    const most = this.#noise * noiseVaries + this.#change * shareOfChange;
    this.#beyond = gap > most ? this.#beyond + 1 : 0;
    if (this.#beyond < stepsInARow) return;
    throw new ArtError({
      code: 'ART_TRAIN_LOGPROB_GAP',
      message: `Expected sampler and trainer to differ by at most ${most.toPrecision(3)} in the logprob of a token, got ${gap.toPrecision(3)} on average in step ${step}, and too much in the step before. One step changes it by ${this.#change.toPrecision(3)}: the sampler serves older weights than it says.`,
    });
  }
}
