import type { ChatCall } from '../calls/chat-call.ts';
import type { ReadAnswer } from './read-answer.ts';

/** Everything that a reply consists of. */
export interface TokenChatReply {
  id: string;
  /** Seconds since the Unix epoch. */
  created: number;
  call: ChatCall;
  prompt: readonly number[];
  answers: readonly ReadAnswer[];
  tokenText: (id: number) => string;
}

/** A whole reply in vLLM's chat shape, ids and logprobs included. */
export function wholeReply(reply: TokenChatReply): string {
  const { id, created, call, prompt, answers } = reply;
  return JSON.stringify({
    id,
    object: 'chat.completion',
    created,
    model: call.model,
    prompt_token_ids: prompt,
    choices: answers.map((answer, index) => ({
      index,
      message: answer.message,
      logprobs: logprobsOf(answer, reply),
      finish_reason: answer.finishReason,
      stop_reason: answer.stopReason,
      token_ids: answer.sampled.tokens,
      ...versionsOf(answer),
    })),
    usage: usageOf(reply),
  });
}

/** The same as events: such a service says nothing before its answer is whole. */
export function streamedReply(reply: TokenChatReply): string {
  const { id, created, call, prompt, answers } = reply;
  const event = (members: object): string =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model: call.model, ...members })}\n\n`;
  const bare = { logprobs: null, finish_reason: null };
  const opening = { role: 'assistant', content: '' };
  const events = [
    event({
      prompt_token_ids: prompt,
      choices: answers.map((_, index) => ({ index, delta: opening, ...bare })),
    }),
    ...answers.flatMap((answer, index) => {
      const { content, reasoning_content: reasoning, tool_calls: calls } = answer.message;
      const said = {
        ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
        content: content ?? '',
      };
      const whole = { delta: said, logprobs: logprobsOf(answer, reply), finish_reason: null };
      const toolCalls = Array.isArray(calls) ? calls.map((call: object, at) => ({ index: at, ...call })) : [];
      const last = {
        delta: {},
        logprobs: null,
        finish_reason: answer.finishReason,
        stop_reason: answer.stopReason,
        ...versionsOf(answer),
      };
      return [
        event({ choices: [{ index, ...whole, token_ids: answer.sampled.tokens }] }),
        ...toolCalls.map((call) => event({ choices: [{ index, delta: { tool_calls: [call] }, ...bare }] })),
        event({ choices: [{ index, ...last }] }),
      ];
    }),
  ];
  if (call.includeUsage) events.push(event({ choices: [], usage: usageOf(reply) }));
  return `${events.join('')}data: [DONE]\n\n`;
}

/** As engines say it that change their weights in the middle of an answer. */
function versionsOf({ sampled: { tokens, weightVersion } }: ReadAnswer): object {
  if (weightVersion === undefined) return {};
  return { weight_versions: [{ version: weightVersion, start: 0, end: tokens.length }] };
}

function logprobsOf({ sampled }: ReadAnswer, { tokenText }: TokenChatReply): object {
  const { tokens, logprobs } = sampled;
  return {
    content: logprobs.map((logprob, index) => {
      const token = tokens[index];
      return { token: token === undefined ? '' : tokenText(token), logprob, bytes: null, top_logprobs: [] };
    }),
  };
}

function usageOf({ prompt, answers }: TokenChatReply): object {
  const completion = answers.reduce((sum, { sampled }) => sum + sampled.tokens.length, 0);
  return {
    prompt_tokens: prompt.length,
    completion_tokens: completion,
    total_tokens: prompt.length + completion,
  };
}
