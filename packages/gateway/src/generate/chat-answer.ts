import type { ParsedTurn } from '../parsers/parsed-turn.ts';
import type { ChatCall } from './chat-call.ts';
import type { SampledTurn } from './sampled-turn.ts';
import { tokenIdsJson } from './token-ids-json.ts';

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

/** Everything that an answer consists of. */
export interface ChatAnswer {
  head: AnswerHead;
  call: ChatCall;
  promptIds: Int32Array;
  turn: SampledTurn;
  parsed: ParsedTurn;
  toolCalls: readonly AnswerToolCall[];
  tokenText(id: number): string;
}

/** The assistant's message: what the agent gets, and what it is expected to send back. */
export function answerMessage({ parsed, toolCalls }: ChatAnswer): Record<string, unknown> {
  const message: Record<string, unknown> = { role: 'assistant', content: parsed.content };
  if (parsed.content === null && toolCalls.length === 0) message['content'] = '';
  if (parsed.reasoning !== null) message['reasoning_content'] = parsed.reasoning;
  if (toolCalls.length > 0) message['tool_calls'] = toolCalls;
  return message;
}

/** A whole reply in vLLM's chat shape, ids and logprobs included. */
export function writeChatAnswer(answer: ChatAnswer): string {
  const { head, promptIds, turn } = answer;
  const members = JSON.stringify({
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [
      {
        index: 0,
        message: answerMessage(answer),
        logprobs: logprobsOf(answer, 0, turn.ids.length),
        finish_reason: finishReason(answer),
        ...finalFields(turn),
        token_ids: turn.ids,
      },
    ],
    usage: usageOf(answer),
    ...(turn.weightVersion === undefined ? {} : { weight_version: turn.weightVersion }),
  });
  return `{"prompt_token_ids":${tokenIdsJson(promptIds)},${members.slice(1)}`;
}

/** `tool_calls` where the model stopped to call; the engine's own reason otherwise. */
export function finishReason({ turn, toolCalls }: Pick<ChatAnswer, 'turn' | 'toolCalls'>): string | null {
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
  { turn, tokenText }: Pick<ChatAnswer, 'turn' | 'tokenText'>,
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
  turn,
}: Pick<ChatAnswer, 'promptIds' | 'turn'>): Record<string, unknown> {
  const prompt = turn.usage.prompt ?? promptIds.length;
  const completion = turn.usage.completion ?? turn.ids.length;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(turn.usage.cached === undefined
      ? {}
      : { prompt_tokens_details: { cached_tokens: turn.usage.cached } }),
  };
}
