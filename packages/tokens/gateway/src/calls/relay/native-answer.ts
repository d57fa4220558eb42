import { isJsonObject } from '@art/ground';
import { ChatMessages } from '../../model-wires/chat/chat-messages.ts';
import { writeToolCall } from '../../model-wires/chat/chat-tools.ts';
import type { CapturedReply } from '../../capture/captured-reply.ts';

/** The text of a field; empty where it is something else. */
export function nativeTextIn(value: Readonly<Record<string, unknown>>, name: string): string {
  const text = value[name];
  return typeof text === 'string' ? text : '';
}

/** The objects in a list; none where it is no list. */
export function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as unknown[]).filter((entry) => isJsonObject(entry)) : [];
}

/** The sum of the counts among some fields; undefined where none of them is a count. */
export function countsIn(value: unknown, names: readonly string[]): number | undefined {
  if (!isJsonObject(value)) return undefined;
  const counts = names
    .map((name) => value[name])
    .filter(
      (count): count is number => typeof count === 'number' && Number.isSafeInteger(count) && count >= 0,
    );
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

/** Something that the model said. */
export type NativePiece =
  | { kind: 'text' | 'reasoning'; text: string }
  | { kind: 'call'; id: string; name: string; arguments: string };

/** An engine's answer on its own wire, as far as a capture has a place for it. */
export interface NativeAnswer {
  model: string | undefined;
  pieces: readonly NativePiece[];
  /** In the words of the chat wire. */
  finishReason: string | undefined;
  usage: { prompt: number | undefined; completion: number | undefined };
}

/** The model's words as a chat message, JSON text. */
export function writeAnswerMessage(pieces: readonly NativePiece[]): string {
  const key = 'answer';
  const messages = new ChatMessages();
  messages.beginAssistant(key);
  for (const piece of pieces) {
    const text =
      piece.kind === 'call'
        ? writeToolCall({
            id: JSON.stringify(piece.id),
            name: JSON.stringify(piece.name),
            arguments: JSON.stringify(piece.arguments),
          })
        : JSON.stringify(piece.text);
    messages.assistant({ kind: piece.kind, text, key });
  }
  return messages.toJson().slice(1, -1);
}

/** The content of a stream that has ended. */
export interface NativeEnd {
  /** Undefined where the engine has said nothing. */
  answer: NativeAnswer | undefined;
  /** True if the answer came to its end. */
  ended: boolean;
}

/** Reads the events of a wire's stream. */
export interface NativeReader {
  /** Takes an event's data. @returns whether it is the last one of an answer, or of a failure */
  take(event: Readonly<Record<string, unknown>>): boolean;
  end(): NativeEnd;
}

const noIds = new Int32Array(0);

/** An engine's answer on its own wire as a capture without tokens; one choice, or none where there is no answer. */
export function nativeCapture({ answer, ended }: NativeEnd): CapturedReply {
  const reply = {
    promptTokenIds: noIds,
    weightVersion: undefined,
    ended,
    error: ended ? undefined : 'The answer did not come to its end.',
  };
  if (answer === undefined) {
    const usage = { prompt: undefined, completion: undefined };
    return { ...reply, model: undefined, choices: [], usage };
  }
  const choice = {
    index: 0,
    message: writeAnswerMessage(answer.pieces),
    hasContent: answer.pieces.some((piece) => piece.kind === 'call' || piece.text !== ''),
    hasTokenIds: false,
    promptTokenIds: noIds,
    tokenIds: noIds,
    logprobs: undefined,
    finishReason: answer.finishReason,
    matchedStop: undefined,
    weightVersions: [],
    routedExperts: undefined,
    routingMatrices: undefined,
    problems: [],
  };
  return { ...reply, model: answer.model, choices: [choice], usage: answer.usage };
}
