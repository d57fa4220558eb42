import { isJsonObject } from '@art/ground';
import { answerEvents, type AnswerBeginning } from '../chat/answer-stream.ts';
import type { ChatReply, ChatUsage, WholeChatReply } from '../chat/chat-reply.ts';
import { writeArray, writeObject } from '../../json-bytes/write-json.ts';
import { rawArgumentsName } from './messages-content.ts';

/** Context of one answer. */
export interface MessageContext {
  id: string;
  /** The model that was asked for, where the engine names none. */
  model: string;
  newId: () => string;
  stopSequences: readonly string[];
}

/** Clients send thinking back only with a signature; this one says that nobody signed it. */
export const thinkingSignature = 'unsigned';

/** Why an answer ended, in the wire's terms. */
export interface MessageEnd {
  stopReason: 'end_turn' | 'max_tokens' | 'tool_use' | 'stop_sequence' | 'refusal';
  stopSequence: string | null;
}

/** Writes a whole chat reply as a message. */
export function writeMessagesReply(reply: WholeChatReply, context: MessageContext): string {
  const blocks: { head: AnswerBeginning; text: string }[] = [];
  for (const event of answerEvents(reply.speech, context.newId)) {
    if (event.event === 'open') blocks.push({ head: event, text: '' });
    else if (event.event === 'delta') blocks.at(-1)!.text += event.text;
  }
  const hasCalls = blocks.some(({ head }) => head.kind === 'call');
  const end = messageEnd(reply, hasCalls, context);
  return writeObject([
    ['id', JSON.stringify(context.id)],
    ['type', '"message"'],
    ['role', '"assistant"'],
    ['model', JSON.stringify(reply.model ?? context.model)],
    ['content', writeArray(blocks.map(({ head, text }) => writeBlock(head, text, thinkingSignature)))],
    ['stop_reason', JSON.stringify(end.stopReason)],
    ['stop_sequence', JSON.stringify(end.stopSequence)],
    ['usage', JSON.stringify(messageUsage(reply.usage))],
  ]);
}

/** A content block as JSON text. One that is only beginning has no text and no signature yet. */
export function writeBlock(head: AnswerBeginning, text: string, signature: string): string {
  switch (head.kind) {
    case 'reasoning':
      return JSON.stringify({ type: 'thinking', thinking: text, signature });
    case 'text':
    case 'refusal':
      return JSON.stringify({ type: 'text', text });
    case 'call':
      return writeObject([
        ['type', '"tool_use"'],
        ['id', JSON.stringify(head.callId)],
        ['name', JSON.stringify(head.name)],
        ['input', toolInput(text)],
      ]);
  }
}

/** The arguments as the model spelled them, where they are an object. */
function toolInput(text: string): string {
  if (text.trim() === '') return '{}';
  try {
    if (isJsonObject(JSON.parse(text))) return text;
  } catch {
    // The model wrote something else than JSON; the agent is to see what.
  }
  return JSON.stringify({ [rawArgumentsName]: text });
}

/** Translates the finish reason. Engines that had to call a certain tool finish with "stop" all the same. */
export function messageEnd(
  reply: Pick<ChatReply, 'finishReason' | 'stopSequence'>,
  hasCalls: boolean,
  context: Pick<MessageContext, 'stopSequences'>,
): MessageEnd {
  if (reply.finishReason === 'length') return { stopReason: 'max_tokens', stopSequence: null };
  if (reply.finishReason === 'content_filter') return { stopReason: 'refusal', stopSequence: null };
  if (hasCalls) return { stopReason: 'tool_use', stopSequence: null };
  const { stopSequence } = reply;
  // Engines report their own end-of-turn texts in the same place.
  if (stopSequence !== undefined && context.stopSequences.includes(stopSequence)) {
    return { stopReason: 'stop_sequence', stopSequence };
  }
  return { stopReason: 'end_turn', stopSequence: null };
}

/** The wire counts what was read from a cache apart from the rest of the input. */
export function messageUsage(usage: ChatUsage | undefined): Record<string, number> {
  return {
    input_tokens: usage === undefined ? 0 : Math.max(0, usage.prompt - usage.cached),
    output_tokens: usage?.completion ?? 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage?.cached ?? 0,
  };
}
