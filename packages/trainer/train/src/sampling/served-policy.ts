import { ArtError } from '@art/ground';
import type { Sample, SampleRequest, TrainingSteps, WeightsRef } from '../steps/index.ts';

export interface ServedPolicyOptions {
  /** In place of what calls ask for; 0 for an evaluation that gives the same each time. @default as calls ask */
  temperature?: number | undefined;
  /** In place of what calls ask for. @default as calls ask */
  topP?: number | undefined;
}

export type PolicyRequest = Omit<SampleRequest, 'weights'>;

/** One answer, and what it is of. */
export interface PolicyAnswer extends Sample {
  /** Optimizer steps that the weights have had, as text. */
  weightVersion: string;
}

/**
 * The weights that agents talk to at the moment: a `TokenSampler` for `tokenEngine` of `@art/token-engine`, which speaks OpenAI's API before
 * it. The loop gives it each new version. A call keeps the version that it began with.
 */
export class ServedPolicy {
  readonly #options: ServedPolicyOptions;
  #serving: { steps: TrainingSteps; weights: WeightsRef | 'base'; version: number } | undefined;

  constructor(options: ServedPolicyOptions = {}) {
    this.#options = options;
  }

  /** Calls from now on get these weights. */
  use(steps: TrainingSteps, weights: WeightsRef | 'base', version: number): void {
    this.#serving = { steps, weights, version };
  }

  /** @throws ArtError `ART_TRAIN_NO_WEIGHTS` before `use`; what the service throws */
  async sample(request: PolicyRequest, signal?: AbortSignal): Promise<readonly PolicyAnswer[]> {
    if (this.#serving === undefined) {
      throw new ArtError({
        code: 'ART_TRAIN_NO_WEIGHTS',
        message:
          'Expected a call of the model while `train` runs, got one before its first weights can be sampled.',
      });
    }
    const { steps, weights, version } = this.#serving;
    const { temperature = request.temperature, topP = request.topP } = this.#options;
    const samples = await steps.sample({ ...request, temperature, topP, weights }, signal);
    return samples.map((sample) => ({ ...sample, weightVersion: String(version) }));
  }
}
