import { isTruthyJson } from '@art/json-bytes';
import type { InjectionRequest } from './engine-profile.ts';

/**
 * Sets `logprobs` unless the body asks for them already: on the chat wire a flag, on the completions wire how many
 * alternatives there are to be beside the sampled token, where a number of the agent's own stays as it is (0 has the
 * sampled token's logprob too).
 */
export function injectLogprobs(request: InjectionRequest, members: Map<string, string>): void {
  if (!request.addLogprobs) return;
  const given = request.value('logprobs');
  if (request.endpoint === 'chat') {
    if (!isTruthyJson(given)) members.set('logprobs', 'true');
    return;
  }
  const isCount = given !== undefined && (given === 'true' || /^\d+$/.test(given));
  if (!isCount) members.set('logprobs', '1');
}
