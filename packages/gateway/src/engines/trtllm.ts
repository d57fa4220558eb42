import type { EngineProfile } from './engine-profile.ts';
import { injectLogprobs } from './inject-logprobs.ts';

/**
 * TensorRT-LLM (`trtllm-serve`): its schemas refuse members that they do not know, so only `logprobs` is set. Token ids
 * come on the completions wire alone, and there in place of the text (`detokenize: false`): an agent that wants text gets
 * text, and the call is captured as text. One that sends `detokenize: false` itself is captured whole.
 */
export const trtllm: EngineProfile = {
  flavour: 'trtllm',
  inject(request) {
    const members = new Map<string, string>();
    injectLogprobs(request, members);
    return members;
  },
  givesTokenIds: () => false,
  hasEngineFields: true,
  routedExperts: 'unknown',
  routes: [],
  hasNativeWires: false,
  abortPath: undefined,
  recognise: (evidence) => Promise.resolve(evidence.owners.includes('tensorrt_llm')),
};
