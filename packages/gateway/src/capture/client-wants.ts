/**
 * What the agent itself asked of the engine's reply. Everything else that the reply has because of the gateway is taken
 * out again on the way back.
 */
export interface ClientWants {
  /** `logprobs` of the chat wire is true; of the completions wire a number, 0 included. */
  logprobs: boolean;
  topLogprobs: number | undefined;
  /** `return_token_ids`. */
  tokenIds: boolean;
  /** `return_prompt_token_ids` of SGLang, or `return_token_ids`. */
  promptTokenIds: boolean;
  /** `prompt_logprobs` of vLLM. */
  promptLogprobs: boolean;
  /** `kv_transfer_params` of vLLM. */
  kvTransferParams: boolean;
  /** `return_routed_experts`. */
  routedExperts: boolean;
  /** `return_meta_info` of SGLang. */
  metaInfo: boolean;
  /** `return_input_ids_in_sglext` of SGLang. */
  sglextInputIds: boolean;
  /** `return_output_ids_in_sglext` of SGLang. */
  sglextOutputIds: boolean;
  /** `stream_options.include_usage`. */
  usage: boolean;
}
