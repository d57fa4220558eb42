import { parseLossless, stringifyLossless, JsonNumber } from '../tokens/lossless-json.ts';
import type { SamplingParams } from './sampling-params.ts';
import type { SampleTask } from './token-sampler.ts';

// vLLM's `RequestOutputKind`.
const onlyWhatIsNew = '1';
const onlyTheEnd = '2';

/**
 * The sampling parameters that vLLM's renderer made of a call, with the limit of this gateway, and such that ids come with
 * their logprobs. Members that are null are left out: the renderer writes what is not set so, and the sampler refuses it.
 */
export function renderedSampling(task: SampleTask, text: string | undefined): SamplingParams {
  const params: SamplingParams = new Map();
  const rendered = text === undefined ? undefined : parseLossless(text);
  for (const [name, value] of rendered instanceof Map ? rendered : []) {
    if (value !== null) params.set(name, stringifyLossless(value));
  }
  const limit = rendered instanceof Map ? rendered.get('max_tokens') : undefined;
  const roomAtEngine = limit instanceof JsonNumber ? Number(limit.literal) : Infinity;
  params.set('max_tokens', String(Math.min(task.maxTokens, roomAtEngine)));
  params.set('logprobs', String(Math.max(1, task.call.topLogprobs)));
  if (task.call.choiceCount > 1) params.set('n', String(task.call.choiceCount));
  if (params.has('output_kind')) params.set('output_kind', task.stream ? onlyWhatIsNew : onlyTheEnd);
  return params;
}
