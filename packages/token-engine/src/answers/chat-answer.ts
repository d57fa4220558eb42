import { randomBytes } from 'node:crypto';

import type { ParsedTurn } from '../parsers/parsed-turn.ts';
import type { ChatCall } from '../calls/chat-call.ts';
import type { SampledTurn } from '../sampling/sampled-turn.ts';
import { tokenIdsJson } from '../calls/called-engine.ts';

/** A call of a tool as the chat wire has it. */
export interface AnswerToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** What is the same in a whole answer and in each chunk of a stream. */
export interface AnswerHead {
  id: string;
  /** Seconds since the Unix epoch. */
  created: number;
  model: string;
}

/** One of the answers to a prompt. */
export interface AnswerChoice {
  index: number;
  turn: SampledTurn;
  parsed: ParsedTurn;
  toolCalls: readonly AnswerToolCall[];
}

/** Everything that a reply consists of. */
export interface ChatAnswer {
  head: AnswerHead;
  call: ChatCall;
  promptIds: Int32Array;
  /** As many as the call asks for. */
  choices: readonly AnswerChoice[];
  tokenText: TokenText;
}

/** The text of a token. */
export type TokenText = (id: number) => string;

/** The assistant's message: what the agent gets, and what it is expected to send back. */
export function answerMessage({
  parsed,
  toolCalls,
}: Pick<AnswerChoice, 'parsed' | 'toolCalls'>): Record<string, unknown> {
  const message: Record<string, unknown> = { role: 'assistant', content: parsed.content };
  if (parsed.content === null && toolCalls.length === 0) message['content'] = '';
  if (parsed.reasoning !== null) message['reasoning_content'] = parsed.reasoning;
  if (toolCalls.length > 0) message['tool_calls'] = toolCalls;
  return message;
}

/** A whole reply in vLLM's chat shape, ids and logprobs included. */
export function writeChatAnswer(answer: ChatAnswer): string {
  const { head, promptIds, choices, tokenText } = answer;
  const weightVersion = choices[0]?.turn.weightVersion;
  const members = JSON.stringify({
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: choices.map((choice) => ({
      index: choice.index,
      message: answerMessage(choice),
      logprobs: logprobsOf(choice.turn, tokenText, 0, choice.turn.ids.length),
      finish_reason: finishReason(choice),
      ...finalFields(choice.turn),
      token_ids: choice.turn.ids,
    })),
    usage: usageOf(answer),
    ...(weightVersion === undefined ? {} : { weight_version: weightVersion }),
  });
  return `{"prompt_token_ids":${tokenIdsJson(promptIds)},${members.slice(1)}`;
}

/** `tool_calls` where the model stopped to call; the engine's own reason otherwise. */
export function finishReason({ turn, toolCalls }: Pick<AnswerChoice, 'turn' | 'toolCalls'>): string | null {
  const reason = turn.finish?.reason ?? null;
  return reason === 'stop' && toolCalls.length > 0 ? 'tool_calls' : reason;
}

/** What the engine tells with its last token. */
export function finalFields(turn: SampledTurn): Record<string, unknown> {
  return {
    stop_reason: turn.finish?.matched ?? null,
    ...(turn.weightVersions === undefined ? {} : { weight_versions: turn.weightVersions }),
    ...(turn.routedExperts === undefined ? {} : { routed_experts: turn.routedExperts }),
  };
}

/** The logprobs of the tokens from `from` to before `to`; null where the engine gave none. */
export function logprobsOf(
  turn: SampledTurn,
  tokenText: TokenText,
  from: number,
  to: number,
): { content: unknown[] } | null {
  if (!turn.hasLogprobs) return null;
  const entry = (id: number, logprob: number | null): Record<string, unknown> => ({
    token: tokenText(id),
    logprob,
    bytes: null,
  });
  const content = turn.logprobs.slice(from, to).map((logprob, index) => ({
    ...entry(turn.ids[from + index] ?? -1, logprob),
    top_logprobs: (turn.topLogprobs[from + index] ?? []).map((top) => entry(top.id, top.logprob)),
  }));
  return { content };
}

/** The engine's counts where it has some; else our own. */
export function usageOf({
  promptIds,
  choices,
}: Pick<ChatAnswer, 'promptIds' | 'choices'>): Record<string, unknown> {
  const usage = choices[0]?.turn.usage ?? {};
  // Some engines count each choice, others all of them together, with the first.
  const counts = choices.flatMap(({ turn }) => turn.usage.completion ?? []);
  const sampled = counts.length > 0 ? counts : choices.map(({ turn }) => turn.ids.length);
  const prompt = usage.prompt ?? promptIds.length;
  const completion = sampled.reduce((sum, count) => sum + count, 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(usage.cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: usage.cached } }),
  };
}

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Makes an id for a call whose format has none. Mistral's templates take nine letters and digits and nothing else.
 * @param toolCallParser name of the model's format
 */
export function newToolCallId(toolCallParser: string | undefined): string {
  if (toolCallParser !== 'mistral') return `call_${randomBytes(12).toString('hex')}`;
  return Array.from(randomBytes(9), (byte) => alphanumeric[byte % alphanumeric.length]).join('');
}
