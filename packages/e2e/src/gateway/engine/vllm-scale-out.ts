import { vllmChat, vllmRendered } from '@art/tooling/vllm-shapes';
import type { ReasoningField } from './chat-parts.ts';
import type { EngineRequest } from './engine-request.ts';
import { endOfTurn, type SampledChoice } from './sampled-answer.ts';
import { renamed, saidBy, vllmDelta } from './vllm-replies.ts';

/**
 * Which of its scale-out routes a vLLM has: those of 0.24 to 0.29, those that also take answers apart as they come, or none, as
 * they are switched off since 0.32 without `--enable-scale-out`.
 */
export type ScaleOut = 'whole' | 'stream' | 'off';

/** Routes that are switched off. */
export const scaleOutPaths: ReadonlySet<string> = new Set([
  '/v1/chat/completions/render',
  '/v1/chat/completions/derender',
  '/inference/v1/generate',
]);

interface GenerateChoice {
  index: number;
  token_ids: readonly number[];
  finish_reason: string | null;
}

/** Body of `/v1/chat/completions/derender`. */
export interface DerenderRequest {
  model?: string;
  prompt_tokens?: number;
  stream?: boolean;
  generate_response?: { request_id: string; choices: readonly GenerateChoice[] };
  generate_chunk?: { request_id: string; choices: readonly GenerateChoice[] };
  stream_state?: { output_token_ids: readonly number[] } | null;
  chat_request?: EngineRequest;
}

/** `/v1/chat/completions/render`: a call as the request of the generate route. */
export function vllmRender(request: EngineRequest, tokenIds: readonly number[]): unknown {
  const { n = 1, seed, logprobs, model = 'mock-model' } = request;
  return vllmRendered(
    { requestId: 'chatcmpl-rendered', model, tokenIds },
    { n, logprobs: logprobs === true, ...(seed !== undefined && { seed }) },
  );
}

/** `/v1/chat/completions/derender`, for ids that this engine has sampled. Undefined where it refuses. */
export function vllmDerender(
  request: DerenderRequest,
  sampled: readonly SampledChoice[],
  scaleOut: ScaleOut,
  reasoningField: ReasoningField,
): unknown {
  if (request.stream === true) {
    return scaleOut === 'stream' ? derenderChunk(request, sampled, reasoningField) : undefined;
  }
  const { request_id: id = '', choices = [] } = request.generate_response ?? {};
  const told = choices.flatMap((choice) => {
    const source = findSampled(choice.token_ids, sampled);
    if (source === undefined) return [];
    const said = saidBy(withLeak(source, choice.token_ids));
    const finishReason = choice.finish_reason ?? 'stop';
    return [{ ...said, index: choice.index, logprobs: null, finishReason, tokenIds: choice.token_ids }];
  });
  if (told.length < choices.length) return undefined;
  const completionTokens = choices.reduce((sum, choice) => sum + choice.token_ids.length, 0);
  const counts = { promptTokens: request.prompt_tokens ?? 0, completionTokens };
  const reply = vllmChat({ id, model: request.model ?? 'mock-model' }, told, {
    ...counts,
    promptTokenIds: null,
    isDerendered: true,
  });
  return renamed(reply, reasoningField);
}

function derenderChunk(
  request: DerenderRequest,
  sampled: readonly SampledChoice[],
  reasoningField: ReasoningField,
): unknown {
  const { request_id: id, choices = [] } = request.generate_chunk ?? {};
  const before = request.stream_state?.output_token_ids ?? [];
  const [choice] = choices;
  const all = [...before, ...(choice?.token_ids ?? [])];
  const source = findSampled(all, sampled);
  if (source === undefined) return undefined;
  const deltas = source.tokens
    .slice(before.length, all.length)
    .map((token) => vllmDelta(source, [token]) as Record<string, unknown>);
  const chunk = {
    id,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: merged(deltas), finish_reason: choice?.finish_reason }],
  };
  return {
    chunk: renamed(chunk, reasoningField),
    stream_state: { output_token_ids: all },
  };
}

function merged(deltas: readonly Record<string, unknown>[]): Record<string, unknown> {
  const sum: Record<string, unknown> = {};
  for (const [name, value] of deltas.flatMap((delta) => Object.entries(delta))) {
    const before = sum[name];
    if (typeof value === 'string') sum[name] = `${(before as string | undefined) ?? ''}${value}`;
    else if (Array.isArray(value)) sum[name] = [...((before as unknown[] | undefined) ?? []), ...value];
  }
  return sum;
}

function findSampled(ids: readonly number[], sampled: readonly SampledChoice[]): SampledChoice | undefined {
  return sampled.find(({ tokens }) => ids.every((id, at) => tokens[at]?.id === id));
}

// The token that ended the turn is text to the parsers of the first releases.
function withLeak(choice: SampledChoice, ids: readonly number[]): SampledChoice {
  if (ids.at(-1) !== endOfTurn) return choice;
  return { ...choice, answer: { ...choice.answer, content: `${choice.answer.content ?? ''}<|im_end|>` } };
}
