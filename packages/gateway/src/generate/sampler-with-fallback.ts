import { isJsonObject } from '@art/protocol';

import { isRefusal, type EngineRefusal, type TokenSampler } from './token-sampler.ts';

/** Uses one route, and another with the engines that turn out not to have it; which those are is remembered. */
export function samplerWithFallback(preferred: TokenSampler, fallback: TokenSampler): TokenSampler {
  const lacking = new Set<string>();
  return {
    async sample(task, http) {
      if (lacking.has(task.baseUrl)) return fallback.sample(task, http);
      const answer = await preferred.sample(task, http);
      if (!isRefusal(answer) || !isMissingRoute(answer)) return answer;
      lacking.add(task.baseUrl);
      return fallback.sample(task, http);
    },
    async abort(task, http) {
      await (lacking.has(task.baseUrl) ? fallback : preferred).abort?.(task, http);
    },
  };
}

// An engine that has the route answers 404 as well, to a model that it does not know, and says so.
function isMissingRoute({ status, body }: EngineRefusal): boolean {
  if (status === 405 || status === 501) return true;
  return status === 404 && !namesAnError(body);
}

function namesAnError(body: Uint8Array): boolean {
  try {
    const document: unknown = JSON.parse(Buffer.from(body).toString());
    return isJsonObject(document) && (isJsonObject(document['error']) || document['object'] === 'error');
  } catch {
    return false;
  }
}
