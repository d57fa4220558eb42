import { ArtError } from '@art/ground';
import {
  type AdamParams,
  type Loss,
  type PassResult,
  type Sample,
  type SampleRequest,
  type SaveForSamplingOptions,
  type StateRef,
  type StepResult,
  type StepRow,
  type StepsInfo,
  submitted,
  type Submitted,
  type TrainingSteps,
  type WeightsRef,
} from '../steps/index.ts';
import type { Teacher } from '../teacher/teacher.ts';
import type { Spending } from './spending.ts';

/** The codes of calls that no service has seen. */
const unsent = new Set(['ART_INVALID_OPTION', 'ART_TRAIN_SAMPLING_REFUSED']);

/** Steps of which every call that costs is counted, and refused once the budget is spent. */
export class MeteredSteps implements TrainingSteps {
  readonly #steps: TrainingSteps;
  readonly #spending: Spending;

  constructor(steps: TrainingSteps, spending: Spending) {
    this.#steps = steps;
    this.#spending = spending;
  }

  info(): Promise<StepsInfo> {
    return this.#steps.info();
  }

  /** All tokens of a pass count, prompts among them: services count so. @throws ArtError `ART_TRAIN_BUDGET_SPENT` */
  forwardBackward(rows: readonly StepRow[], loss: Loss): Submitted<PassResult> {
    this.#spending.begin({ trained: rows.reduce((sum, { tokens }) => sum + tokens.length, 0) });
    return this.#steps.forwardBackward(rows, loss);
  }

  optimStep(adam: AdamParams): Submitted<StepResult> {
    return this.#steps.optimStep(adam);
  }

  saveForSampling(name: string, options: SaveForSamplingOptions): Submitted<WeightsRef> {
    return this.#steps.saveForSampling(name, options);
  }

  saveState(name: string): Submitted<StateRef> {
    return this.#steps.saveState(name);
  }

  loadState(state: StateRef, options: { optimizer: boolean }): Submitted<void> {
    return this.#steps.loadState(state, options);
  }

  /**
   * A caller that leaves does not call the sampling off: no service can, and only the answer tells what it costs.
   * @throws ArtError `ART_TRAIN_BUDGET_SPENT`
   */
  async sample(request: SampleRequest, signal?: AbortSignal): Promise<readonly Sample[]> {
    signal?.throwIfAborted();
    const call = this.#spending.begin({
      prompt: request.prompt.length,
      most: request.samples * request.maxTokens,
    });
    const answer = this.#steps.sample(request).then(
      (samples) => {
        call.ended(samples.reduce((sum, { tokens }) => sum + tokens.length, 0));
        return samples;
      },
      (error: unknown) => {
        if (ArtError.isInstance(error) && unsent.has(error.code)) call.refused();
        else call.ended();
        throw error;
      },
    );
    return submitted(answer).result({ signal });
  }

  /** @throws ArtError `ART_TRAIN_BUDGET_SPENT` */
  async logprobs(
    tokens: readonly number[],
    weights: WeightsRef | 'base',
    signal?: AbortSignal,
  ): Promise<readonly (number | null)[]> {
    return await this.teacherLogprobs(
      { logprobs: (asked, whileWanted) => this.#steps.logprobs(asked, weights, whileWanted) },
      tokens,
      signal,
    );
  }

  /** The logprobs of another model: they count as the service's do. @throws ArtError `ART_TRAIN_BUDGET_SPENT` */
  async teacherLogprobs(
    teacher: Teacher,
    tokens: readonly number[],
    signal?: AbortSignal,
  ): Promise<readonly (number | null)[]> {
    signal?.throwIfAborted();
    this.#spending.begin({ prompt: tokens.length });
    return await teacher.logprobs(tokens, signal);
  }

  forget(save: WeightsRef | StateRef): Promise<boolean> {
    return this.#steps.forget?.(save) ?? Promise.resolve(false);
  }

  stop(): Promise<void> {
    return this.#steps.stop();
  }
}
