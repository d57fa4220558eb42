import { isMissingRoute } from '@art/gateway/engine-port';
import { isRefusal, type TokenSampler } from './token-sampler.ts';

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
