import { hasGivenUp } from '../model-wires/chat/has-given-up.ts';
import { ArtError } from '@art/ground';
import { ByteEdits } from '../json-bytes/byte-edits.ts';
import { JsonScanner } from '../json-bytes/json-scanner.ts';
import { ByteOutput, findSseData, joinSseData, placeInEvent, type SseData, SseFramer } from './sse-events.ts';
import { captureReply } from './capture-reply.ts';
import type { CapturedReply } from './captured-reply.ts';
import type { PreparedCall } from './prepare-call.ts';
import { readReply } from './read-reply.ts';
import { ReplyDraft } from './reply-draft.ts';

/** The rest of a stream that has ended. */
export interface StreamEnd {
  /** Bytes that were held back, to be sent once the capture is stored. */
  rest: Uint8Array;
  captured: CapturedReply;
  /** The finish reason by which the engine gave up on a choice: neither that nor what followed it continued to the agent. */
  givenUp: string | undefined;
}

type StreamState =
  /** Nothing but white space so far, or the first bytes of a byte order mark. */
  | { kind: 'start'; blank: Buffer }
  | { kind: 'events' }
  /** The engine answered the stream request with one JSON body: an error, or it does not stream. */
  | { kind: 'body'; pieces: Buffer[] }
  /** The last event has come; it and whatever follows wait for the capture. */
  | { kind: 'held'; pieces: ByteOutput };

const done = Buffer.from('[DONE]');
const byteOrderMark = Buffer.from('\ufeff');

/**
 * Reads a stream of server-sent events on its way to the agent. Every event continues as soon as it is complete, its bytes
 * unchanged but for what the agent did not ask for; events that have nothing for the agent are left out. Only the last
 * one, `[DONE]`, is held back until {@link StreamCapture.finish}, so that an agent that has the whole answer can rely on its
 * being stored.
 */
export class StreamCapture {
  readonly #call: PreparedCall;
  readonly #draft: ReplyDraft;
  readonly #framer = new SseFramer();
  /** Bytes that are ready for the agent. */
  readonly #output = new ByteOutput();
  // Whether the last event was left out, and with it a line end that may follow late.
  #leftOut = false;
  #givenUp: string | undefined;
  #state: StreamState = { kind: 'start', blank: Buffer.alloc(0) };

  constructor(call: PreparedCall) {
    this.#call = call;
    this.#draft = new ReplyDraft(call);
  }

  /** Takes the next bytes of the engine, cut wherever; gives what is ready for the agent, perhaps nothing. */
  push(chunk: Uint8Array): Uint8Array {
    const piece = Buffer.isBuffer(chunk)
      ? chunk
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const first = this.#begin(piece);
    if (first !== undefined && this.#state.kind === 'body') this.#state.pieces.push(first);
    else if (first !== undefined) this.#framer.push(first, this.#event);
    return this.#output.take();
  }

  /**
   * Ends the stream, whether the engine or the agent ended it: gives what was held back, and what was read. A broken event
   * at the end is not passed on.
   */
  finish(): StreamEnd {
    if (this.#state.kind === 'body') {
      const { body, captured } = captureReply(Buffer.concat(this.#state.pieces), this.#call);
      return { rest: body, captured, givenUp: undefined };
    }
    if (this.#state.kind === 'start') return this.#ended(this.#state.blank, false);
    const last = this.#framer.finish();
    if (last.length > 0) this.#lastEvent(last);
    if (this.#state.kind !== 'held') return this.#ended(this.#output.take(), false);
    return this.#ended(this.#state.pieces.take(), this.#givenUp === undefined);
  }

  #ended(rest: Uint8Array, isEnd: boolean): StreamEnd {
    return { rest, captured: this.#draft.finish(isEnd), givenUp: this.#givenUp };
  }

  // Looks at the first byte that is not white space: events, or one JSON body. Either may have a byte order mark before it.
  #begin(piece: Buffer): Buffer | undefined {
    if (this.#state.kind !== 'start') return piece;
    const all = this.#state.blank.length === 0 ? piece : Buffer.concat([this.#state.blank, piece]);
    const markLength = commonLength(all, byteOrderMark);
    const isMarkOpen = markLength === all.length && markLength < byteOrderMark.length;
    const mark = markLength === byteOrderMark.length ? markLength : 0;
    const first = new JsonScanner(all, mark).peek();
    if (first === -1 || isMarkOpen) {
      this.#state = { kind: 'start', blank: Buffer.from(all) };
      return undefined;
    }
    this.#state = first === 0x7b || first === 0x5b ? { kind: 'body', pieces: [] } : { kind: 'events' };
    return all;
  }

  readonly #event = (bytes: Buffer, start: number, end: number, isLineEnd: boolean): void => {
    if (this.#state.kind === 'held') {
      this.#state.pieces.add(bytes, start, end);
      return;
    }
    if (isLineEnd) {
      if (!this.#leftOut) this.#output.add(bytes, start, end);
      return;
    }
    this.#leftOut = false;
    const data = findSseData(bytes, start, end);
    if (data === undefined) this.#output.add(bytes, start, end);
    else if (isDone(bytes, data)) {
      const pieces = new ByteOutput();
      pieces.add(bytes, start, end);
      this.#state = { kind: 'held', pieces };
    } else this.#pass(bytes, start, end, data);
  };

  #lastEvent(bytes: Buffer): void {
    const data = findSseData(bytes, 0, bytes.length);
    const isBroken = data !== undefined && !isDone(bytes, data) && !isJson(bytes, data);
    if (!isBroken) this.#event(bytes, 0, bytes.length, false);
  }

  #pass(bytes: Buffer, start: number, end: number, data: SseData): void {
    const output = this.#output;
    const [from, to] = data.places as [number, number];
    const isOneLine = data.places.length === 2;
    const json = isOneLine ? bytes : joinSseData(bytes, data);
    const edits = new ByteEdits();
    try {
      const scanner = isOneLine ? new JsonScanner(bytes, from, to) : new JsonScanner(json, 0);
      const part = readReply(scanner, this.#call, edits);
      if (part !== undefined) this.#draft.add(part);
      const givenUp = part?.choices?.find(({ finishReason }) => hasGivenUp(finishReason))?.finishReason;
      if (givenUp !== undefined) {
        this.#givenUp = givenUp;
        this.#draft.addError(`The engine gave up: ${givenUp}`);
      }
      this.#leftOut = part?.isForGateway === true || this.#givenUp !== undefined;
      if (this.#leftOut) return;
    } catch (error) {
      if (!ArtError.isInstance(error) || error.code !== 'ART_JSON_PARSE') throw error;
      // Not understood, so not to be tampered with.
      this.#draft.addUnreadable(error.message);
      output.add(bytes, start, end);
      return;
    }
    if (edits.count === 0) output.add(bytes, start, end);
    else if (isOneLine) output.add(edits.apply(bytes, start, end));
    else output.add(edits.moved((at) => placeInEvent(data, at)).apply(bytes, start, end));
  }
}

function isDone(bytes: Buffer, data: SseData): boolean {
  const [from, to] = data.places as [number, number];
  if (data.places.length !== 2 || to - from < done.length) return false;
  return bytes.toString('latin1', from, to).trim() === '[DONE]';
}

function commonLength(bytes: Buffer, start: Buffer): number {
  let length = 0;
  while (length < start.length && bytes[length] === start[length]) length += 1;
  return length;
}

function isJson(bytes: Buffer, data: SseData): boolean {
  try {
    const scanner = new JsonScanner(joinSseData(bytes, data), 0);
    scanner.skipValue();
    scanner.finish();
    return true;
  } catch {
    return false;
  }
}
