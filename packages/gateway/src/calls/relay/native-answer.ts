import { ChatMessages, writeToolCall } from '@art/model-wires';

/** Something that the model said. */
export type NativePiece =
  | { kind: 'text' | 'reasoning'; text: string }
  | { kind: 'call'; id: string; name: string; arguments: string };

/** An engine's answer on a wire of its own, as far as a trace has a place for it. */
export interface NativeAnswer {
  model: string | undefined;
  pieces: readonly NativePiece[];
  /** In the words of the chat wire. */
  finishReason: string | undefined;
  usage: { prompt: number | undefined; completion: number | undefined };
}

/** What the model said as a chat message, JSON text. */
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
