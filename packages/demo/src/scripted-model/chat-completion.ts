import { randomUUID } from 'node:crypto';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionTokenLogprob,
} from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import {
  callTokens,
  endTokens,
  promptTokens,
  replyTokens,
  type SaidTokens,
  textTokens,
  tokenLogprob,
  tokenText,
} from './byte-tokens.ts';
import type { ChatRequest } from './chat-request.ts';
import type { ScriptedReply } from './choose-reply.ts';

/** A reply as the body of a chat completion that is not streamed. */
export function chatCompletion(request: ChatRequest, reply: ScriptedReply): ChatCompletion {
  return {
    ...head(request),
    ...promptMembers(request),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: finishReason(reply),
        ...tokenMembers(request, replyTokens(said(reply))),
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
  let place = 0;
  const chunk = (
    delta: ChatCompletionChunk.Choice.Delta,
    ids: readonly number[],
    finish: ChatCompletionChunk.Choice['finish_reason'] = null,
  ): ChatCompletionChunk => {
    const members = tokenMembers(request, ids, place);
    place += ids.length;
    return { ...base, choices: [{ index: 0, delta, finish_reason: finish, ...members }] };
  };

  yield { ...chunk({ role: 'assistant', content: '' }, []), ...promptMembers(request) };
  for (const word of reply.content.match(/\s*\S+|\s+$/g) ?? [])
    yield chunk({ content: word }, textTokens(word));
  if (reply.kind === 'call') {
    const { id, function: called } = toolCall(reply);
    yield chunk(
      { tool_calls: [{ index: 0, id, type: 'function', function: { name: called.name, arguments: '' } }] },
      callTokens({ name: called.name, arguments: '' }),
    );
    // In two parts, so that clients which forget to join them notice.
    const middle = Math.ceil(called.arguments.length / 2);
    for (const part of [called.arguments.slice(0, middle), called.arguments.slice(middle)]) {
      yield chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] }, textTokens(part));
    }
  }
  yield chunk({}, endTokens, finishReason(reply));
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

function usage(request: ChatRequest, reply: ScriptedReply): CompletionUsage {
  const prompt = promptTokens(request).length;
  const completion = replyTokens(said(reply)).length;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function said(reply: ScriptedReply): SaidTokens {
  return { content: reply.content, calls: reply.kind === 'call' ? [toolCall(reply).function] : [] };
}

/** The members of a choice, or of a part of one, that tell about its tokens, as far as they were asked for. */
function tokenMembers(
  request: ChatRequest,
  ids: readonly number[],
  from = 0,
): {
  logprobs: { content: ChatCompletionTokenLogprob[]; refusal: null } | null;
  token_ids?: readonly number[];
} {
  const content = ids.map((id, place) => ({
    token: tokenText(id),
    logprob: tokenLogprob(id, from + place),
    bytes: null,
    top_logprobs: [],
  }));
  return {
    logprobs: request.logprobs === true ? { content, refusal: null } : null,
    ...(request.return_token_ids === true && { token_ids: ids }),
  };
}

/** vLLM says the ids of the prompt once, at the top of the reply or of the first part of a stream. */
function promptMembers(request: ChatRequest): { prompt_token_ids?: readonly number[] } {
  return request.return_token_ids === true ? { prompt_token_ids: promptTokens(request) } : {};
}
