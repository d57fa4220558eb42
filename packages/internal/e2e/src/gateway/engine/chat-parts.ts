import type { SampledAnswer, SampledChoice, SampledToken } from './sampled-answer.ts';

/** The name of the member that reasoning is in, which differs by engine and release. */
export type ReasoningField = 'reasoning' | 'reasoning_content';

/** A whole message of OpenAI's chat wire, as both engines fill it. */
export function chatMessage(choice: SampledChoice, reasoningField: ReasoningField): Record<string, unknown> {
  const { content, reasoning, toolCalls = [] } = choice.answer;
  return {
    role: 'assistant',
    content: content ?? null,
    ...(reasoning !== undefined && { [reasoningField]: reasoning }),
    tool_calls: toolCalls.map((call, at) => ({
      id: choice.toolCallIds[at],
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
  };
}

/** Text that an event with these tokens adds to the message; empty for markup, whose tokens come without text. */
export function chatDelta(
  choice: SampledChoice,
  tokens: readonly SampledToken[],
  reasoningField: ReasoningField,
): Record<string, unknown> {
  const text = tokens.map((token) => token.text).join('');
  const { part } = tokens[0]!;
  switch (part.kind) {
    case 'content':
      return { content: text };
    case 'reasoning':
      return { [reasoningField]: text };
    case 'call_name': {
      const { index } = part;
      // Engines tell the name in one piece, with the first of its tokens.
      const isFirst = choice.tokens.find((token) => 'index' in token.part && token.part.index === index);
      if (isFirst !== tokens[0]) return {};
      const name = choice.answer.toolCalls?.[index]?.name;
      const id = choice.toolCallIds[index];
      return { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] };
    }
    case 'call_arguments':
      return { tool_calls: [{ index: part.index, function: { arguments: text } }] };
    case 'markup':
      return {};
  }
}

/** `logprobs` of the chat wire. */
export function chatLogprobs(tokens: readonly SampledToken[]): Record<string, unknown> {
  return {
    content: tokens.map(({ text, logprob }) => ({
      token: text,
      logprob,
      bytes: [...Buffer.from(text)],
      top_logprobs: [],
    })),
  };
}

/** `logprobs` of the completions wire. */
export function completionLogprobs(tokens: readonly SampledToken[]): Record<string, unknown> {
  return {
    text_offset: tokens.map(() => 0),
    token_logprobs: tokens.map((token) => token.logprob),
    tokens: tokens.map((token) => token.text),
    top_logprobs: tokens.map((token) => ({ [token.text]: token.logprob })),
  };
}

export function usageOf({ promptTokenIds, choices }: SampledAnswer): Record<string, unknown> {
  const sampled = choices.reduce((sum, choice) => sum + choice.tokens.length, 0);
  return {
    prompt_tokens: promptTokenIds.length,
    total_tokens: promptTokenIds.length + sampled,
    completion_tokens: sampled,
    prompt_tokens_details: null,
  };
}

export function idsOf(tokens: readonly SampledToken[]): number[] {
  return tokens.map((token) => token.id);
}
