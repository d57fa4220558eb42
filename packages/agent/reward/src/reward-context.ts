/** The services that a reward function may use. Each is optional for the caller. */
export interface RewardContext {
  /** Ends what takes long, such as a call of a model. */
  signal?: AbortSignal | undefined;
  /** Keeps words beside the judgement. */
  remark?: ((text: string) => void) | undefined;
}
