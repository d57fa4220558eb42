/**
 * One sequence of a pass. All lists have the same length: the model reads `tokens`, and `targets[i]` is what comes after
 * `tokens[i]`.
 */
export interface StepRow {
  readonly tokens: readonly number[];
  readonly targets: readonly number[];
  /** How much each target counts; 0 where it does not train. */
  readonly weights: readonly number[];
  /**
   * The logprob of each target, at the time and temperature at which it was sampled; 0 where the weight is 0. Not for
   * `cross_entropy`.
   */
  readonly logprobs?: readonly number[] | undefined;
  /** The advantage of each target; 0 where the weight is 0. Not for `cross_entropy`. */
  readonly advantages?: readonly number[] | undefined;
}
