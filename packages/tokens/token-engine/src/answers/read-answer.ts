import { randomBytes } from 'node:crypto';
import type { ChatCall } from '../calls/chat-call.ts';
import type { SampledAnswer } from '../token-sampler.ts';
import { firstOf } from '../parsers/marks.ts';
import { nothingSaid, type ParsedTurn } from '../parsers/parsed-turn.ts';
import type { TurnParser } from '../parsers/turn-parser.ts';
import type { Tokenization } from '../tokens/tokenization.ts';

/** An answer as the chat API has it. */
export interface ReadAnswer {
  sampled: SampledAnswer;
  message: Record<string, unknown>;
  finishReason: string;
  /** The text of the call's own that ended it; null where the model ended it itself. */
  stopReason: string | null;
  /** True if the model meant to call a tool and did not keep to its format. */
  illFormed: boolean;
}

/** Dependencies of reading an answer. */
export interface AnswerReader {
  tokenization: Tokenization;
  parser: TurnParser;
}

// Enough to hold the mark that opens reasoning.
const promptEndTokens = 16;

/** Takes a sampled answer apart into what was said, thought and called. */
export function readSampledAnswer(
  { tokenization, parser }: AnswerReader,
  { conversation, sampling }: ChatCall,
  prompt: readonly number[],
  sampled: SampledAnswer,
): ReadAnswer {
  const { tokens, stopReason: reason } = sampled;
  const { tools } = conversation;
  const endsByToken = reason === 'stop' && tokenization.stopTokenIds.has(tokens.at(-1) ?? -1);
  const isParsed = parser.isActiveFor({ tools });
  const whole = tokenization.decode(endsByToken ? tokens.slice(0, -1) : tokens, {
    skipSpecialTokens: !isParsed,
  });
  const stops = reason === 'stop' && !endsByToken ? (sampling.stop ?? []) : [];
  const end = firstOf(stops, whole);
  const text = whole.slice(0, end);
  const promptEnd = isParsed ? tokenization.decode(prompt.slice(-promptEndTokens)) : '';
  const parsed = isParsed
    ? parser.parse(text, { tools, promptEnd })
    : { ...nothingSaid, content: text || null };
  return {
    sampled,
    message: messageOf(parsed),
    finishReason: reason === 'stop' && parsed.toolCalls.length > 0 ? 'tool_calls' : reason,
    stopReason: end === undefined ? null : (stops.find((stop) => whole.startsWith(stop, end)) ?? null),
    illFormed: parsed.illFormed,
  };
}

/** The assistant's message: what the agent gets, and what it is expected to send back. */
function messageOf({ content, reasoning, toolCalls }: ParsedTurn): Record<string, unknown> {
  const calls = toolCalls.map((call) => ({
    id: call.id ?? `call_${randomBytes(12).toString('hex')}`,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  return {
    role: 'assistant',
    content: content ?? (calls.length === 0 ? '' : null),
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}
