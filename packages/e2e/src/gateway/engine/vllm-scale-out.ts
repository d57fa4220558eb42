import { chatDelta, chatMessage, idsOf, type ReasoningField } from './chat-parts.ts';
import type { EngineRequest } from './engine-request.ts';
import { endOfTurn, type SampledChoice, type SampledToken } from './sampled-answer.ts';

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

/** What they are answered with then, under status 403. */
export const scaleOutIsOff = {
  error: {
    message: 'Scale-out endpoints are disabled. Restart vllm serve with --enable-scale-out to enable them.',
    type: 'PermissionDeniedError',
    param: null,
    code: 403,
  },
};

interface GenerateChoice {
  index: number;
  token_ids: readonly number[];
  finish_reason: string | null;
}

/** Body of `/v1/chat/completions/derender`. */
export interface DerenderRequest {
  stream?: boolean;
  generate_response?: { request_id: string; choices: readonly GenerateChoice[] };
  generate_chunk?: { request_id: string; choices: readonly GenerateChoice[] };
  stream_state?: { output_token_ids: readonly number[] } | null;
  chat_request?: EngineRequest;
}

/** `/v1/chat/completions/render`: a call as the request of the generate route. */
export function vllmRender(request: EngineRequest, promptTokenIds: readonly number[]): unknown {
  return {
    request_id: 'chatcmpl-rendered',
    token_ids: promptTokenIds,
    features: null,
    sampling_params: { n: request.n ?? 1, temperature: 1, max_tokens: 4_096, logprobs: 0, seed: null },
    model: request.model ?? 'mock-model',
    stream: false,
    priority: 0,
  };
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
  const { request_id: id, choices = [] } = request.generate_response ?? {};
  const told = choices.map((choice) => {
    const source = findSampled(choice.token_ids, sampled);
    return (
      source && {
        index: choice.index,
        message: chatMessage(withLeak(source, choice.token_ids), reasoningField),
        finish_reason: choice.finish_reason,
      }
    );
  });
  return told.includes(undefined) ? undefined : { id, object: 'chat.completion', choices: told };
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
    .map((token) => chatDelta(source, [token], reasoningField));
  return {
    chunk: {
      id,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: merged(deltas), finish_reason: choice?.finish_reason }],
    },
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

/** `/inference/v1/generate` as a stream: ids as they come. */
export function generateEvents(
  requestId: string,
  choice: SampledChoice,
  chunks: readonly (readonly SampledToken[])[],
): unknown[] {
  return chunks.map((tokens, at) => ({
    request_id: requestId,
    choices: [
      {
        index: choice.index,
        token_ids: idsOf(tokens),
        finish_reason: at < chunks.length - 1 ? null : choice.finishReason.replace('tool_calls', 'stop'),
        logprobs: {
          content: tokens.map(({ id, logprob }) => ({ token_id: id, logprob, rank: 1, top_logprobs: [] })),
        },
      },
    ],
  }));
}
