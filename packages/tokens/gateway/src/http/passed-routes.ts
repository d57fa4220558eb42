import { ApiError } from './api-error.ts';
import type { ProxyTarget } from './proxy-path.ts';

/** Routes of the model API beside the turns of a conversation, by method. */
const routes: Record<string, RegExp> = {
  GET: /^\/(models(\/[^%\\]+)?|responses\/[\w-]+(\/input_items)?)$/,
  POST: /^\/(embeddings|rerank|score|classify|pooling|tokenize|detokenize|moderations|responses\/[\w-]+\/cancel|audio\/(transcriptions|translations|speech)|images\/(generations|edits|variations))$/,
};

/**
 * Refuses what is no model call: engines have routes beside their model API, and below it, that load adapters and weights, sleep and
 * wake up, and empty caches. An agent is written by others than who trains it, and has no business there. A list of what is allowed
 * keeps: engines get new routes, and a path can be spelled in many ways.
 * Sources: https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html, https://docs.sglang.ai/basic_usage/native_api.html
 * @throws ApiError 404
 */
export function assertPassedOn({ endpoint, tail }: ProxyTarget, method: string): void {
  if (endpoint !== 'other') return;
  const path = decoded(tail.replace(/(?<=.)\/$/, ''));
  if (path !== undefined && routes[method]?.test(path) === true && !hasDots(path)) return;
  throw new ApiError({
    status: 404,
    message: `Expected a route of the model API, got ${method} ${JSON.stringify(tail.slice(0, 100))}, which is not passed on. Ask the engine itself for what administers it.`,
    code: 'route_not_passed_on',
  });
}

/** As a server reads it; the name of a model may have a slash. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function hasDots(path: string): boolean {
  return path.split('/').some((segment) => /^\.*$/.test(segment) && segment !== '') || path.includes('//');
}
