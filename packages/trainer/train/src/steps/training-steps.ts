import type { Loss } from './loss.ts';
import type { AdamParams } from './adam-params.ts';
import type { StepRow } from './step-row.ts';
import type { Submitted } from './submitted.ts';

/** Weights that can be sampled, by the name that the service gave them: an ARN, a path. Can be written down and used later. */
export interface WeightsRef {
  readonly weights: string;
}

/** Weights with the state of the optimizer, by the name that the service gave them. Can be written down and loaded later. */
export interface StateRef {
  readonly state: string;
}

/** The model that a session trains, and the limits of the service. */
export interface StepsInfo {
  baseModel: string;
  /** Undefined: all weights are trained. */
  loraRank?: number | undefined;
  /** Where the tokenizer comes from, a name on the Hugging Face Hub. */
  tokenizerId?: string | undefined;
  /** Most tokens of prompt and answer together. */
  maxContext?: number | undefined;
  /** The smallest `maxTokens` that `sample` takes. @default 1 */
  minSampleTokens?: number | undefined;
}

/** The result of one pass over rows. */
export interface PassResult {
  /**
   * By row, the logprob of each target under the weights of the pass, as long as the row. 0 or any number where the
   * weight is 0. Undefined where the service returns none.
   */
  logprobs?: readonly (readonly number[])[] | undefined;
  /**
   * Number of rows for which the service returned any output: their logprobs, or else anything. 0 where it returns nothing by row. Fewer than there are
   * rows: a part of the pass is lost.
   */
  answeredRows: number;
  metrics: Readonly<Record<string, number>>;
}

export interface StepResult {
  metrics: Readonly<Record<string, number>>;
}

export interface SampleRequest {
  /** Token ids. */
  prompt: readonly number[];
  /** How many answers. */
  samples: number;
  maxTokens: number;
  /** 0: the likeliest token each time. */
  temperature: number;
  /** @default 1, all tokens */
  topP?: number | undefined;
  /** @default all tokens */
  topK?: number | undefined;
  /** The same seed, prompt and weights give the same answers. */
  seed?: number | undefined;
  /** Texts that end an answer. The model's own end token always does. */
  stop?: readonly string[] | undefined;
  weights: WeightsRef | 'base';
}

/** One answer. */
export interface Sample {
  /** With the end token, where the model said one and the service tells it. */
  tokens: readonly number[];
  /** For each token, at the temperature at which it was sampled. */
  logprobs: readonly number[];
  stopReason: 'stop' | 'length';
}

export interface SaveForSamplingOptions {
  /**
   * True if the weights are needed after this session, or later than the next save. False lets the service drop them.
   */
  keep: boolean;
}

/**
 * One session at a service that makes training steps.
 *
 * `forwardBackward`, `optimStep`, `saveForSampling`, `saveState` and `loadState` take effect in the order in which they were
 * called: a driver gives each its number when it is called, not when it is sent. An operation that has failed for good
 * makes all later ones fail: what follows would train from other weights than the caller thinks.
 *
 * `sample` and `logprobs` have no order, name the weights they are for, and run beside training.
 */
export interface TrainingSteps {
  info(): Promise<StepsInfo>;
  /**
   * Adds the gradient of `loss` over `rows` to what has gathered since the last optimizer step. The loss is the SUM over all rows
   * and targets, however many requests the driver makes of them. A driver whose service takes a mean scales the weights or
   * advantages that it sends, so that the sum comes out.
   */
  forwardBackward(rows: readonly StepRow[], loss: Loss): Submitted<PassResult>;
  /** Applies the gathered gradient and clears it. */
  optimStep(adam: AdamParams): Submitted<StepResult>;
  /** The weights as they are at this place of the order. Resolves when they can be sampled. */
  saveForSampling(name: string, options: SaveForSamplingOptions): Submitted<WeightsRef>;
  /** Weights and optimizer as they are at this place of the order. Resolves when they are stored. */
  saveState(name: string): Submitted<StateRef>;
  /** Only as a session's first operation: some services take it nowhere else. */
  loadState(state: StateRef, options: { optimizer: boolean }): Submitted<void>;
  sample(request: SampleRequest, signal?: AbortSignal): Promise<readonly Sample[]>;
  /** For each token its logprob after those before it; null for the first. */
  logprobs(
    tokens: readonly number[],
    weights: WeightsRef | 'base',
    signal?: AbortSignal,
  ): Promise<readonly (number | null)[]>;
  /**
   * Deletes kept weights or a kept state, of this session or another one. Idempotent.
   * @returns false where the service has no way to. Absent: the same
   */
  forget?(save: WeightsRef | StateRef): Promise<boolean>;
  /** Ends the session, and with it what it costs. Idempotent. What is under way fails. */
  stop(): Promise<void>;
}
