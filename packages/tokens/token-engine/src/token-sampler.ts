/** A prompt to be continued. */
export interface TokenSamplerRequest {
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
}

/** One answer. */
export interface SampledAnswer {
  /** With the end token, where the model sampled one and the service reports it. */
  tokens: readonly number[];
  /** For each token, at the temperature at which it was sampled. */
  logprobs: readonly number[];
  stopReason: 'stop' | 'length';
  /**
   * Version of the weights that sampled it, for the capture. @default the version that the trainer announced to the
   * gateway
   */
  weightVersion?: string | undefined;
}

/** A service that samples token ids and knows nothing else: no template, no text, no tools. */
export interface TokenSampler {
  /** As many answers as are asked for. What it rejects with is answered to the agent as 502. */
  sample(request: TokenSamplerRequest, signal: AbortSignal): Promise<readonly SampledAnswer[]>;
  /** Most tokens of prompt and answer together. @default no bound that is known */
  readonly maxContext?: number | undefined;
  /** The smallest `maxTokens` that it takes. @default 1 */
  readonly minSampleTokens?: number | undefined;
}
