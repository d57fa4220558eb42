import {
  vllmCallPiece,
  vllmCallStart,
  vllmChat as chatReply,
  vllmChatEvent,
  vllmChatStart,
  vllmCompletion as completionReply,
  vllmCompletionEvent,
  vllmUsageEvent,
  type VllmCounts,
} from '@art/tooling/vllm-shapes';
import { idsOf, type ReasoningField } from './chat-parts.ts';
import type { EngineRequest } from './engine-request.ts';
import { rawText, type SampledAnswer, type SampledChoice, type SampledToken } from './sampled-answer.ts';
import { tokenChunks } from './token-chunks.ts';

/** Details that differ between releases. */
export interface VllmStyle {
  /** `reasoning` from 0.12 on. */
  reasoningField: ReasoningField;
}

/** vLLM's `/v1/chat/completions`: the reply's JSON, or the events of a stream. */
export function vllmChat(
  request: EngineRequest,
  answer: SampledAnswer,
  seed: number,
  { reasoningField }: VllmStyle,
): unknown {
  const withLogprobs = request.logprobs === true;
  const withIds = request.return_token_ids === true;
  const head = { id: `chatcmpl-${answer.callNumber}`, model: request.model ?? 'mock-model' };
  const counts = countsOf(answer);
  if (request.stream !== true) {
    const choices = answer.choices.map((choice) => ({
      ...saidBy(choice),
      logprobs: withLogprobs ? choice.tokens : null,
      tokenIds: withIds ? idsOf(choice.tokens) : null,
    }));
    const reply = chatReply(head, choices, {
      ...counts,
      promptTokenIds: withIds ? answer.promptTokenIds : null,
    });
    return renamed(reply, reasoningField);
  }
  const events = answer.choices.map(({ index }, at) =>
    vllmChatStart(head, { index, promptTokenIds: withIds && at === 0 ? answer.promptTokenIds : undefined }),
  );
  for (const choice of answer.choices) {
    const chunks = tokenChunks(choice, seed);
    for (const [at, tokens] of chunks.entries()) {
      const event = vllmChatEvent(head, {
        index: choice.index,
        delta: vllmDelta(choice, tokens),
        logprobs: withLogprobs ? tokens : null,
        finishReason: at === chunks.length - 1 ? choice.finishReason : null,
        tokenIds: withIds ? idsOf(tokens) : undefined,
      });
      events.push(renamed(event, reasoningField));
    }
  }
  return withUsage(request, events, () =>
    vllmUsageEvent(head, 'chat.completion.chunk', counts.promptTokens, counts.completionTokens),
  );
}

/** The message of a choice, without its tokens. */
function saidBy({ index, answer, finishReason, toolCallIds }: SampledChoice) {
  const { content = null, reasoning = null, toolCalls = [] } = answer;
  const calls = toolCalls.map((call, at) => ({ ...call, id: toolCallIds[at]! }));
  return { index, content, reasoning, toolCalls: calls, finishReason };
}

/** Text that an event with these tokens adds to the message; empty for markup, whose tokens come without text. */
function vllmDelta(choice: SampledChoice, tokens: readonly SampledToken[]): object {
  const text = tokens.map((token) => token.text).join('');
  const { part } = tokens[0]!;
  switch (part.kind) {
    case 'content':
      return { content: text };
    case 'reasoning':
      return { reasoning: text };
    case 'call_name': {
      const { index } = part;
      // Engines tell the name in one piece, with the first of its tokens.
      const first = choice.tokens.find((token) => 'index' in token.part && token.part.index === index);
      if (first !== tokens[0]) return {};
      return vllmCallStart(index, choice.toolCallIds[index]!, choice.answer.toolCalls![index]!.name);
    }
    case 'call_arguments':
      return vllmCallPiece(part.index, text);
    case 'markup':
      return {};
  }
}

/** vLLM's `/v1/completions`. */
export function vllmCompletion(request: EngineRequest, answer: SampledAnswer, seed: number): unknown {
  const withLogprobs = typeof request.logprobs === 'number';
  const withIds = request.return_token_ids === true;
  const head = { id: `cmpl-${answer.callNumber}`, model: request.model ?? 'mock-model' };
  const counts = countsOf(answer);
  const promptTokenIds = withIds ? answer.promptTokenIds : null;
  if (request.stream !== true) {
    const choices = answer.choices.map((choice) => ({
      index: choice.index,
      text: rawText(choice),
      logprobs: withLogprobs ? choice.tokens : null,
      finishReason: choice.finishReason,
      tokenIds: withIds ? idsOf(choice.tokens) : null,
      promptTokenIds,
    }));
    return completionReply(head, choices, counts);
  }
  const events = answer.choices.flatMap((choice) => {
    const chunks = tokenChunks(choice, seed);
    return chunks.map((tokens, at) =>
      vllmCompletionEvent(head, {
        index: choice.index,
        text: tokens.map((token) => token.text).join(''),
        logprobs: withLogprobs ? tokens : null,
        finishReason: at === chunks.length - 1 ? choice.finishReason : null,
        tokenIds: withIds ? idsOf(tokens) : null,
        promptTokenIds: at === 0 ? promptTokenIds : null,
      }),
    );
  });
  return withUsage(request, events, () =>
    vllmUsageEvent(head, 'text_completion', counts.promptTokens, counts.completionTokens),
  );
}

function countsOf({ promptTokenIds, choices }: SampledAnswer): VllmCounts {
  const completionTokens = choices.reduce((sum, choice) => sum + choice.tokens.length, 0);
  return { promptTokens: promptTokenIds.length, completionTokens };
}

function withUsage(request: EngineRequest, events: object[], usage: () => object): object[] {
  return request.stream_options?.include_usage === true ? [...events, usage()] : events;
}

interface Messages {
  choices: { message?: Record<string, unknown>; delta?: Record<string, unknown> }[];
}

/** As older releases name the reasoning. */
function renamed(answer: object, field: ReasoningField): object {
  if (field === 'reasoning') return answer;
  for (const choice of (answer as Messages).choices) {
    const said = choice.message ?? choice.delta ?? {};
    if (!('reasoning' in said)) continue;
    said[field] = said['reasoning'];
    delete said['reasoning'];
  }
  return answer;
}
