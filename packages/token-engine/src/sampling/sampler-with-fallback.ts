import { isMissingRoute } from '@art/gateway/engine-port';
import { EngineRefused } from '../calls/engine-refused.ts';
import type { TokenSampler } from './token-sampler.ts';

/** Uses one route, and another with the engines that turn out not to have it; which those are is remembered. */
export function samplerWithFallback(preferred: TokenSampler, fallback: TokenSampler): TokenSampler {
  const lacking = new Set<string>();
  return {
    async sample(task) {
      const { baseUrl } = task.engine;
      if (lacking.has(baseUrl)) return fallback.sample(task);
      try {
        return await preferred.sample(task);
      } catch (error) {
        if (!(error instanceof EngineRefused) || !isMissingRoute(error.answer)) throw error;
        lacking.add(baseUrl);
        return fallback.sample(task);
      }
    },
  };
}
