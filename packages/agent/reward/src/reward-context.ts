/** What a reward function can do besides judging. All of it is optional, for whoever calls it. */
export interface RewardContext {
  /** Ends what takes long, such as a call of a model. */
  signal?: AbortSignal | undefined;
  /** Keeps words beside the judgement. */
  remark?: ((text: string) => void) | undefined;
}
