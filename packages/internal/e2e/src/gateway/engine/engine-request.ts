/** A request body, as far as engines look into it. */
export interface EngineRequest {
  model?: string;
  messages?: readonly { role: string; content?: unknown; tool_calls?: unknown }[];
  prompt?: string | readonly number[] | readonly string[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean } | null;
  n?: number;
  seed?: number;
  logprobs?: boolean | number | null;
  return_token_ids?: boolean;
  return_input_ids_in_sglext?: boolean;
  return_output_ids_in_sglext?: boolean;
  return_meta_info?: boolean;
  /** The prompt as token ids, on SGLang's chat route. */
  input_ids?: readonly number[];
  /** The prompt as token ids, on vLLM's chat route. */
  kv_transfer_params?: { prompt_token_ids?: readonly number[] } | null;
}
