import { isJsonObject, jsonObjectIn } from '@art/ground';
import { ByteOutput, findSseData, joinSseData, SseFramer } from '../../capture/sse-events.ts';
import type { TranslatedWire } from '../../model-wires/chat/wire-translation.ts';
import { MessagesReader, readMessagesAnswer } from './messages-answer.ts';
import type { NativeEnd, NativeReader } from './native-answer.ts';
import { ResponsesReader, readResponse } from './responses-answer.ts';

/** The rest of a stream that has ended. */
export interface NativeStreamEnd extends NativeEnd {
  /** Bytes that were held back, to be sent once the capture is stored. */
  rest: Uint8Array;
}

/**
 * Reads an engine's own stream on its way to the agent. Nothing in it changes; the last event and what follows it are held
 * back until {@link NativeStream.finish}, so that an agent that has the whole answer can rely on its being stored.
 */
export class NativeStream {
  readonly #events: NativeReader;
  readonly #framer = new SseFramer();
  readonly #held = new ByteOutput();
  #isHeld = false;

  constructor(wire: TranslatedWire) {
    this.#events = wire === 'responses' ? new ResponsesReader() : new MessagesReader();
  }

  /** Takes the next bytes of the engine, cut wherever; gives what is ready for the agent, perhaps nothing. */
  push(chunk: Uint8Array): Uint8Array {
    const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const output = new ByteOutput();
    this.#framer.push(piece, (bytes, start, end) => this.#event(bytes, start, end, output));
    return output.take();
  }

  /** Ends the stream, no matter which side ended it. */
  finish(): NativeStreamEnd {
    const last = this.#framer.finish();
    // An end without its blank line is an end to many readers.
    if (last.length > 0) this.#event(last, 0, last.length, this.#held);
    return { rest: this.#held.take(), ...this.#events.end() };
  }

  #event(bytes: Buffer, start: number, end: number, output: ByteOutput): void {
    this.#isHeld ||= this.#isLast(bytes, start, end);
    (this.#isHeld ? this.#held : output).add(bytes, start, end);
  }

  #isLast(bytes: Buffer, start: number, end: number): boolean {
    const data = findSseData(bytes, start, end);
    if (data === undefined) return false;
    try {
      const event: unknown = JSON.parse(joinSseData(bytes, data).toString());
      return isJsonObject(event) && this.#events.take(event);
    } catch {
      // Not for us to understand: `[DONE]`, or what only the agent knows.
      return false;
    }
  }
}

/** Reads a whole answer of an engine's own wire. Never throws: what cannot be read is no answer, and continues all the same. */
export function readNativeReply(wire: TranslatedWire, bytes: Uint8Array): NativeEnd {
  const document = jsonObjectIn(Buffer.from(bytes).toString());
  if (document === undefined) return { answer: undefined, ended: false };
  const answer = wire === 'responses' ? readResponse(document) : readMessagesAnswer(document);
  return { answer, ended: answer !== undefined };
}
