/** The services that a reward function may use. Each is optional for the caller. */
export interface RewardContext {
  /** Ends what takes long, such as a call of a model. */
  signal?: AbortSignal | undefined;
  /** Keeps words beside the judgement. */
  remark?: ((text: string) => void) | undefined;
  /** Counts a request to a model, so that a run with a ceiling knows of it. */
  onUsage?: ((usage: ModelUsage) => void) | undefined;
}

/** Use of a model by one request. */
export interface ModelUsage {
  model: string;
  promptTokens: number;
  completionTokens: number;
}
