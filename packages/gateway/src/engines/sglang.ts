import { isTruthyJson } from '@art/json-bytes';
import type { EngineProfile } from './engine-profile.ts';
import { injectLogprobs } from './inject-logprobs.ts';
import { injectUsage } from './inject-usage.ts';

// A streamed chat with `return_token_ids` is refused; there the ids come in the `sglext` of an event before the last.
const streamedChatFlags = ['return_input_ids_in_sglext', 'return_output_ids_in_sglext'];
const tokenIdFlags = ['return_token_ids'];

/**
 * SGLang: `return_token_ids` for completions and for chat that is not streamed, `sglext` for chat that is. Releases
 * without them leave the members out of account and their calls are marked as incomplete.
 */
export const sglang: EngineProfile = {
  flavour: 'sglang',
  inject(request) {
    const members = new Map<string, string>();
    injectLogprobs(request, members);
    if (request.addTokenIds) {
      const flags = request.endpoint === 'chat' && request.stream ? streamedChatFlags : tokenIdFlags;
      for (const flag of flags) {
        if (!isTruthyJson(request.value(flag))) members.set(flag, 'true');
      }
    }
    injectUsage(request, members);
    return members;
  },
  givesTokenIds: () => true,
  hasEngineFields: true,
  routedExperts: 'int32_base64',
  routes: ['/generate', '/tokenize', '/detokenize'],
  hasNativeWires: false,
  abortPath: '/abort_request',
  async recognise(evidence) {
    if (evidence.owners.includes('sglang')) return true;
    if (evidence.owners.includes('vllm')) return false;
    // Its router lists the workers' models, whoever owns them by name, and has SGLang's own routes.
    for (const path of ['/get_server_info', '/server_info', '/get_model_info', '/model_info']) {
      const reply = await evidence.reply(path);
      if (reply !== undefined && ('tokenizer_path' in reply || 'sglang_version' in reply)) return true;
    }
    return false;
  },
};
