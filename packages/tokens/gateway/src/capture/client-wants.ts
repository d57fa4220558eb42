import { isTruthyJson, objectMembers } from '../json-bytes/object-members.ts';

/** The two wires of engines that a capture reads. */
export type CapturedEndpoint = 'chat' | 'completions';

/**
 * Fields of the reply that the agent itself asked for. Every other field that the gateway asked for is taken out again.
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

/**
 * Reads from the agent's own fields, before anything is put over them, what it asked of the reply.
 * @param value the JSON text of a field of the agent's body
 */
export function readClientWants(
  value: (name: string) => string | undefined,
  endpoint: CapturedEndpoint,
  stream: boolean,
): ClientWants {
  const asks = (name: string): boolean => isTruthyJson(value(name));
  const logprobs = value('logprobs');
  // On the completions wire 0 asks for the sampled token's logprob and no alternatives.
  const countsLogprobs = endpoint === 'completions' && logprobs !== undefined && /^\d+$/.test(logprobs);
  const topLogprobs = Number(endpoint === 'chat' ? value('top_logprobs') : logprobs);
  const tokenIds = asks('return_token_ids');
  return {
    logprobs: countsLogprobs || isTruthyJson(logprobs),
    topLogprobs: Number.isInteger(topLogprobs) ? topLogprobs : undefined,
    tokenIds,
    promptTokenIds: tokenIds || asks('return_prompt_token_ids'),
    // 0 asks for the prompt's own tokens without alternatives, as above.
    promptLogprobs: asks('prompt_logprobs') || value('prompt_logprobs') === '0',
    kvTransferParams: asks('kv_transfer_params'),
    routedExperts: asks('return_routed_experts'),
    metaInfo: asks('return_meta_info'),
    sglextInputIds: asks('return_input_ids_in_sglext'),
    sglextOutputIds: asks('return_output_ids_in_sglext'),
    usage: stream && asksForUsage(value('stream_options')),
  };
}

function asksForUsage(options: string | undefined): boolean {
  if (options === undefined || !options.startsWith('{')) return false;
  const bytes = Buffer.from(options);
  const member = objectMembers(bytes)?.byName.get('include_usage');
  return member !== undefined && isTruthyJson(bytes.toString('utf8', member.valueStart, member.valueEnd));
}

/**
 * True if a field at the top of a reply is for the gateway only: the fields that rllm-model-gateway takes out, and the
 * spans of newer releases.
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

/** The same of a field of a choice; beyond that list, what other engines and newer releases put there. */
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

/** The same of a field of SGLang's `sglext`. */
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
