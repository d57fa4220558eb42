import { isTruthyJson, objectMembers } from '@art/json-bytes';
import type { ClientWants } from './client-wants.ts';
import type { CapturedEndpoint } from './prepared-call.ts';

/**
 * Reads from the agent's own members, before anything is put over them, what it asked of the reply.
 * @param value the JSON text of a member of the agent's body
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
