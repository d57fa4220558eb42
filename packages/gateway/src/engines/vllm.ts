import { isTruthyJson } from '@art/json-bytes';
import type { EngineProfile } from './engine-profile.ts';
import { injectLogprobs } from './inject-logprobs.ts';
import { injectUsage } from './inject-usage.ts';

/**
 * vLLM: `return_token_ids` since 0.10.2 on both wires, streamed or not. Older ones leave the unknown member out of account
 * and their calls are marked as incomplete.
 */
export const vllm: EngineProfile = {
  flavour: 'vllm',
  inject(request) {
    const members = new Map<string, string>();
    injectLogprobs(request, members);
    if (request.addTokenIds && !isTruthyJson(request.value('return_token_ids'))) {
      members.set('return_token_ids', 'true');
    }
    injectUsage(request, members);
    return members;
  },
  givesTokenIds: () => true,
  hasEngineFields: true,
  routedExperts: 'npy_base64',
  routes: ['/inference/v1/generate', '/tokenize', '/detokenize'],
  hasNativeWires: false,
  abortPath: undefined,
  recognise: (evidence) => Promise.resolve(evidence.owners.includes('vllm')),
};
