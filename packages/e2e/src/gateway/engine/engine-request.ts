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
  /** Of token routes. */
  rid?: string;
  request_id?: string;
  input_ids?: readonly number[];
  /** The prompt as token ids, on vLLM's chat route. */
  kv_transfer_params?: { prompt_token_ids?: readonly number[] } | null;
  token_ids?: readonly number[];
  return_logprob?: boolean;
  sampling_params?: { n?: number };
  /** Of `/detokenize`. */
  tokens?: readonly number[];
  skip_special_tokens?: boolean;
}
