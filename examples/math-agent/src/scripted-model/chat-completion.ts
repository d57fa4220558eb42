import { randomUUID } from 'node:crypto';
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import { type ChatRequest, messageText } from './chat-request.ts';
import type { ScriptedReply } from './choose-reply.ts';

/** A reply as the body of a chat completion that is not streamed. */
export function chatCompletion(request: ChatRequest, reply: ScriptedReply): ChatCompletion {
  return {
    ...head(request),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: finishReason(reply),
        logprobs: null,
        message: {
          role: 'assistant',
          content: reply.content,
          refusal: null,
          ...(reply.kind === 'call' && { tool_calls: [{ ...toolCall(reply), type: 'function' as const }] }),
        },
      },
    ],
    usage: usage(request, reply),
  };
}

/** The same reply in pieces, in the order in which a stream sends them. */
export function* chatCompletionChunks(
  request: ChatRequest,
  reply: ScriptedReply,
): Generator<ChatCompletionChunk, void> {
  const base = { ...head(request), object: 'chat.completion.chunk' as const };
  const chunk = (
    delta: ChatCompletionChunk.Choice.Delta,
    finish: ChatCompletionChunk.Choice['finish_reason'] = null,
  ): ChatCompletionChunk => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  });

  yield chunk({ role: 'assistant', content: '' });
  for (const word of reply.content.match(/\s*\S+/g) ?? []) yield chunk({ content: word });
  if (reply.kind === 'call') {
    const { id, function: called } = toolCall(reply);
    yield chunk({
      tool_calls: [{ index: 0, id, type: 'function', function: { name: called.name, arguments: '' } }],
    });
    // In two parts, so that clients which forget to join them notice.
    const middle = Math.ceil(called.arguments.length / 2);
    for (const part of [called.arguments.slice(0, middle), called.arguments.slice(middle)]) {
      yield chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] });
    }
  }
  yield chunk({}, finishReason(reply));
  if (request.stream_options?.include_usage === true) {
    yield { ...base, choices: [], usage: usage(request, reply) };
  }
}

function head(request: ChatRequest): { id: string; created: number; model: string } {
  return { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model: request.model };
}

function finishReason(reply: ScriptedReply): 'tool_calls' | 'stop' {
  return reply.kind === 'call' ? 'tool_calls' : 'stop';
}

function toolCall(reply: ScriptedReply & { kind: 'call' }): {
  id: string;
  function: { name: string; arguments: string };
} {
  return {
    id: reply.callId,
    function: { name: 'calculator', arguments: JSON.stringify({ expression: reply.expression }) },
  };
}

/** Estimates: the scripted model has no tokens, and four characters are about one. */
function usage(request: ChatRequest, reply: ScriptedReply): CompletionUsage {
  const promptCharacters = request.messages.reduce((sum, message) => sum + messageText(message).length, 0);
  const prompt = Math.ceil(promptCharacters / 4);
  const completion = Math.ceil(
    (reply.content.length + (reply.kind === 'call' ? reply.expression.length : 0)) / 4,
  );
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
