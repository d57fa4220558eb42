import {
  chatDelta,
  chatLogprobs,
  chatMessage,
  completionLogprobs,
  idsOf,
  usageOf,
  type ReasoningField,
} from './chat-parts.ts';
import type { EngineRequest } from './engine-request.ts';
import { generateEvents } from './vllm-scale-out.ts';
import { rawText, type SampledAnswer } from './sampled-answer.ts';
import { tokenChunks } from './token-chunks.ts';

/** What is not the same in every release. */
export interface VllmStyle {
  /** `reasoning` from 0.12 on. */
  reasoningField: ReasoningField;
}

/** vLLM's `/v1/chat/completions`: the reply's JSON, or the events of a stream. */
export function vllmChat(
  request: EngineRequest,
  answer: SampledAnswer,
  seed: number,
  style: VllmStyle,
): unknown {
  const withLogprobs = request.logprobs === true;
  const withIds = request.return_token_ids === true;
  const head = {
    id: `chatcmpl-${answer.callNumber}`,
    created: 1_760_000_000,
    model: request.model ?? 'mock-model',
  };
  if (request.stream !== true) {
    return {
      ...head,
      object: 'chat.completion',
      choices: answer.choices.map((choice) => ({
        index: choice.index,
        message: {
          ...chatMessage(choice, style.reasoningField),
          refusal: null,
          annotations: null,
          audio: null,
          function_call: null,
        },
        logprobs: withLogprobs ? chatLogprobs(choice.tokens) : null,
        finish_reason: choice.finishReason,
        stop_reason: null,
        token_ids: withIds ? idsOf(choice.tokens) : null,
      })),
      service_tier: null,
      system_fingerprint: null,
      usage: usageOf(answer),
      prompt_logprobs: null,
      prompt_token_ids: withIds ? answer.promptTokenIds : null,
      kv_transfer_params: null,
    };
  }
  const chunk = (choices: object[], more = {}): unknown => ({
    ...head,
    object: 'chat.completion.chunk',
    ...more,
    choices,
  });
  const events: unknown[] = answer.choices.map(({ index }, at) =>
    chunk(
      [{ index, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }],
      withIds && at === 0 ? { prompt_token_ids: answer.promptTokenIds } : {},
    ),
  );
  for (const choice of answer.choices) {
    const chunks = tokenChunks(choice, seed);
    chunks.forEach((tokens, at) => {
      const isLast = at === chunks.length - 1;
      events.push(
        chunk([
          {
            index: choice.index,
            delta: chatDelta(choice, tokens, style.reasoningField),
            logprobs: withLogprobs ? chatLogprobs(tokens) : null,
            finish_reason: isLast ? choice.finishReason : null,
            ...(isLast && { stop_reason: null }),
            ...(withIds && { token_ids: idsOf(tokens) }),
          },
        ]),
      );
    });
  }
  if (request.stream_options?.include_usage === true) events.push(chunk([], { usage: usageOf(answer) }));
  return events;
}

/** vLLM's `/v1/completions`. */
export function vllmCompletion(request: EngineRequest, answer: SampledAnswer, seed: number): unknown {
  const withLogprobs = typeof request.logprobs === 'number';
  const withIds = request.return_token_ids === true;
  const head = {
    id: `cmpl-${answer.callNumber}`,
    object: 'text_completion',
    created: 1_760_000_000,
    model: request.model ?? 'mock-model',
  };
  if (request.stream !== true) {
    return {
      ...head,
      choices: answer.choices.map((choice) => ({
        index: choice.index,
        text: rawText(choice),
        logprobs: withLogprobs ? completionLogprobs(choice.tokens) : null,
        finish_reason: choice.finishReason,
        stop_reason: null,
        token_ids: withIds ? idsOf(choice.tokens) : null,
        prompt_logprobs: null,
        prompt_token_ids: withIds ? answer.promptTokenIds : null,
      })),
      usage: usageOf(answer),
      kv_transfer_params: null,
    };
  }
  const events: unknown[] = answer.choices.flatMap((choice) => {
    const chunks = tokenChunks(choice, seed);
    return chunks.map((tokens, at) => ({
      ...head,
      choices: [
        {
          index: choice.index,
          text: tokens.map((token) => token.text).join(''),
          logprobs: withLogprobs ? completionLogprobs(tokens) : null,
          finish_reason: at === chunks.length - 1 ? choice.finishReason : null,
          stop_reason: null,
          ...(withIds && at === 0 && { prompt_token_ids: answer.promptTokenIds }),
          ...(withIds && { token_ids: idsOf(tokens) }),
        },
      ],
    }));
  });
  if (request.stream_options?.include_usage === true) {
    events.push({ ...head, choices: [], usage: usageOf(answer) });
  }
  return events;
}

/** vLLM's `/inference/v1/generate`: ids in, ids out, no text. */
export function vllmGenerate(request: EngineRequest, answer: SampledAnswer, seed: number): unknown {
  const requestId = request.request_id ?? `gen-${answer.callNumber}`;
  if (request.stream === true) {
    return answer.choices.flatMap((choice) => generateEvents(requestId, choice, tokenChunks(choice, seed)));
  }
  return {
    request_id: requestId,
    choices: answer.choices.map((choice) => ({
      index: choice.index,
      token_ids: idsOf(choice.tokens),
      finish_reason: choice.finishReason === 'tool_calls' ? 'stop' : choice.finishReason,
      logprobs: {
        content: choice.tokens.map(({ id, logprob }) => ({ token: `token_id:${id}`, logprob })),
      },
      routed_experts: null,
    })),
    prompt_logprobs: null,
  };
}

/** vLLM's error body. */
export function vllmError(status: number, message: string): unknown {
  const type = status < 500 ? 'BadRequestError' : 'InternalServerError';
  return { error: { message, type, param: null, code: status } };
}
