import type { ClientWants } from './client-wants.ts';

/**
 * Whether a member at the top of a reply is the engine's own and not the agent's to see: what rllm-model-gateway takes out
 * there, and the spans of newer releases.
 */
export function stripsReplyMember(name: string, wants: ClientWants): boolean {
  switch (name) {
    case 'prompt_token_ids':
    // vLLM 0.32 sends it along with those.
    case 'prompt_text':
      return !wants.promptTokenIds;
    case 'prompt_logprobs':
      return !wants.promptLogprobs;
    case 'kv_transfer_params':
      return !wants.kvTransferParams;
    case 'weight_version':
    case 'weight_versions':
      return true;
    default:
      return false;
  }
}

/** The same of a member of a choice; beyond that list, what other engines and newer releases put there. */
export function stripsChoiceMember(name: string, wants: ClientWants): boolean {
  switch (name) {
    case 'logprobs':
      return !wants.logprobs;
    case 'token_ids':
    case 'response_token_ids':
      return !wants.tokenIds;
    case 'prompt_token_ids':
      return !wants.promptTokenIds;
    case 'prompt_logprobs':
      return !wants.promptLogprobs;
    case 'routed_experts':
      return !wants.routedExperts;
    case 'meta_info':
      return !wants.metaInfo;
    case 'stop_reason':
    case 'routing_matrices':
    case 'weight_versions':
      return true;
    default:
      return false;
  }
}

/** The same of a member of SGLang's `sglext`. */
export function stripsSglextMember(name: string, wants: ClientWants): boolean {
  switch (name) {
    case 'input_ids':
      return !wants.sglextInputIds;
    case 'output_ids':
      return !wants.sglextOutputIds;
    case 'routed_experts':
      return !wants.routedExperts;
    default:
      return false;
  }
}
