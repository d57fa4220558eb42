import { parseJson, stringifyJson } from '@art/ground';
import type { RoutedExperts, Capture } from '@art/trajectories';
import type { NewCapture, TextBytes } from './capture-store.ts';

/** Where a capture stands, and what it shares with earlier ones of its session; parents are ordinals, -1 for none. */
export interface CaptureSharing {
  /** Which capture of its session, from 0. */
  ordinal: number;
  promptParent: number;
  promptKept: number;
  messagesParent: number;
  messagesKept: number;
  /** The capture that holds the text of the tools, which may be this one; -1 for none. */
  toolsAt: number;
  /** See `NewCapture`. */
  continuedIn?: string | undefined;
}

/** A capture's own content, in the order in which it lies in the buffer. */
interface CaptureLayout extends CaptureSharing {
  storedAtMs: number;
  promptCount: number;
  completionCount: number;
  /** Four bytes each where every value is a float32 to begin with, as engines compute them. */
  logprobs: { count: number; bytesEach: 4 | 8 } | undefined;
  /** How many of the texts are messages; the response is the one behind them. */
  messageCount: number;
  /** Which texts follow the response, and the tools where it holds them. */
  experts: Omit<RoutedExperts, 'data'> | undefined;
  matrixCount: number | undefined;
  hasRawRequest: boolean;
  hasRawResponse: boolean;
  /** Where each text ends, counted from where the first begins. */
  textEnds: readonly number[];
}

/** Fields that are tokens or long texts, or that are found again when a capture is read; all others are kept as JSON. */
const elsewhere = {
  messages: undefined,
  tools: undefined,
  responseMessage: undefined,
  promptTokenIds: undefined,
  completionTokenIds: undefined,
  logprobs: undefined,
  routedExperts: undefined,
  routingMatrices: undefined,
  rawRequest: undefined,
  rawResponse: undefined,
  prefix: undefined,
  continuedIn: undefined,
};

type CaptureFields = Omit<Capture, keyof typeof elsewhere>;

const idBytes = 4;

/**
 * A capture as it is kept: what it shares with an earlier capture of its session is not repeated. Everything lies in one
 * buffer, which is at the same time its record on disk: the length of the header, the header as JSON, ids as the machine has
 * them, logprobs, texts.
 *
 * A capture's tokens are its prompt and then its completion, its texts are its messages and then its response. The first
 * `kept` of them are those of the parent.
 */
export class StoredCapture {
  readonly bytes: Buffer;
  readonly captureId: string;
  readonly layout: CaptureLayout;
  readonly #idsAt: number;

  /** @param header what the bytes begin with, where it is known already */
  constructor(bytes: Buffer, { layout, fields }: StoredHeader = readHeader(bytes)) {
    this.bytes = bytes;
    this.layout = layout;
    this.captureId = fields.captureId;
    this.#idsAt = headerEnd(bytes);
  }

  /** Where the answer begins among the tokens. */
  get promptEnd(): number {
    return this.layout.promptKept + this.layout.promptCount;
  }

  /** How many tokens it has. */
  get tokenCount(): number {
    return this.promptEnd + this.layout.completionCount;
  }

  get logprobs(): Float64Array | undefined {
    const { promptCount, completionCount, logprobs } = this.layout;
    if (logprobs === undefined) return undefined;
    const { count, bytesEach } = logprobs;
    const values = bytesEach === 4 ? new Float32Array(count) : new Float64Array(count);
    this.#copy(this.#idsAt + (promptCount + completionCount) * idBytes, values);
    return values instanceof Float64Array ? values : Float64Array.from(values);
  }

  /** Fills `target` with its tokens from `from` on, all of which it holds itself. */
  copyTokens(from: number, target: Int32Array): Int32Array {
    this.#copy(this.#idsAt + (from - this.layout.promptKept) * idBytes, target);
    return target;
  }

  /** How many of its tokens from `from` up to `to`, all of which it holds itself, equal `ids` from `start` on. */
  commonTokens(from: number, to: number, ids: Int32Array, start: number): number {
    const [at, length] = [this.#idsAt + (from - this.layout.promptKept) * idBytes, (to - from) * idBytes];
    const others = Buffer.from(ids.buffer, ids.byteOffset + start * idBytes, length);
    if (this.bytes.compare(others, 0, length, at, at + length) === 0) return to - from;
    let byte = 0;
    while (this.bytes[at + byte] === others[byte]) byte += 1;
    return Math.floor(byte / idBytes);
  }

  /** The short fields, which are read anew each time: they are of no use while a capture is only kept. */
  fields(): CaptureFields {
    return readHeader(this.bytes).fields;
  }

  /** A text by its place among its own ones: messages, response, tools, and what the layout lists. */
  text(index: number): string {
    return this.bytes.toString('utf8', this.#textStart(index), this.#textStart(index + 1));
  }

  /** True if that text is this one. */
  isText(index: number, text: TextBytes): boolean {
    const start = this.#textStart(index);
    const end = this.#textStart(index + 1);
    if (Buffer.byteLength(text) !== end - start) return false;
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    return this.bytes.compare(bytes, 0, bytes.byteLength, start, end) === 0;
  }

  #textStart(index: number): number {
    const { textEnds } = this.layout;
    return this.bytes.byteLength - textEnds.at(-1)! + (index === 0 ? 0 : textEnds[index - 1]!);
  }

  #copy(at: number, target: Int32Array | Float32Array | Float64Array): void {
    this.bytes.copy(bytesOf(target), 0, at, at + target.byteLength);
  }
}

/** Writes a capture into its own buffer. @throws ArtError `ART_JSON_WRITE` if the metadata is not JSON */
export function storeCapture(
  capture: NewCapture,
  sharing: CaptureSharing,
  storedAtMs: number,
): StoredCapture {
  const { routedExperts, metadata } = capture;
  const promptTokenIds = capture.promptTokenIds.subarray(sharing.promptKept);
  const logprobs = capture.logprobs && asNarrowAsExact(capture.logprobs);
  const texts = textsToKeep(capture, sharing);
  let textBytes = 0;
  const layout: CaptureLayout = {
    ...sharing,
    storedAtMs,
    promptCount: promptTokenIds.length,
    completionCount: capture.completionTokenIds.length,
    logprobs: logprobs && { count: logprobs.length, bytesEach: logprobs instanceof Float32Array ? 4 : 8 },
    messageCount: capture.messages.length - sharing.messagesKept,
    experts: routedExperts && { encoding: routedExperts.encoding, shape: routedExperts.shape },
    matrixCount: capture.routingMatrices?.length,
    hasRawRequest: capture.rawRequest !== undefined,
    hasRawResponse: capture.rawResponse !== undefined,
    textEnds: texts.map((text) => (textBytes += Buffer.byteLength(text))),
  };
  const fields = { ...capture, ...elsewhere, metadata: undefined };
  // Only the metadata comes from outside and may hold what JSON.stringify would change.
  const header = `{"layout":${JSON.stringify(layout)},"fields":${JSON.stringify(fields)},"metadata":${stringifyJson(metadata)}}`;
  const headerBytes = Buffer.byteLength(header);
  const numbers = [promptTokenIds, capture.completionTokenIds, ...(logprobs === undefined ? [] : [logprobs])];
  const numberBytes = numbers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  // Not from the pool: a slice of it would keep 8 KB alive for a capture of a few hundred bytes.
  const bytes = Buffer.allocUnsafeSlow(lengthBytes + headerBytes + numberBytes + textBytes);
  let at = bytes.writeUInt32LE(headerBytes);
  at += bytes.write(header, at);
  for (const values of numbers) at += bytesOf(values).copy(bytes, at);
  for (const text of texts) {
    if (typeof text === 'string') at += bytes.write(text, at);
    else {
      bytes.set(text, at);
      at += text.byteLength;
    }
  }
  return new StoredCapture(bytes, { layout, fields: capture });
}

interface StoredHeader {
  layout: CaptureLayout;
  fields: Pick<CaptureFields, 'captureId'>;
}

const lengthBytes = 4;

function headerEnd(bytes: Buffer): number {
  return lengthBytes + bytes.readUInt32LE();
}

function readHeader(bytes: Buffer): StoredHeader & { fields: CaptureFields } {
  const text = bytes.toString('utf8', lengthBytes, headerEnd(bytes));
  const { layout, fields, metadata } = parseJson(text) as unknown as {
    layout: CaptureLayout;
    fields: CaptureFields;
    metadata: Capture['metadata'];
  };
  const { finishReason, weightVersion, temperature, topP, usage } = fields;
  const { prompt, completion } = usage;
  // A field that is undefined is not in the text.
  const optional = { finishReason, weightVersion, temperature, topP, usage: { prompt, completion } };
  return { layout, fields: { ...fields, ...optional, metadata } };
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Float32Array | Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** `Object.is` keeps -0 and NaN apart from what they resemble. */
function asNarrowAsExact(logprobs: Float64Array): Float32Array | Float64Array {
  return logprobs.every((value) => Object.is(Math.fround(value), value))
    ? Float32Array.from(logprobs)
    : logprobs;
}

/** The texts that a capture holds itself, in their order. */
function textsToKeep(capture: NewCapture, { ordinal, messagesKept, toolsAt }: CaptureSharing): TextBytes[] {
  const texts = capture.messages.slice(messagesKept);
  texts.push(capture.responseMessage);
  if (toolsAt === ordinal && capture.tools !== undefined) texts.push(capture.tools);
  if (capture.routedExperts !== undefined) texts.push(capture.routedExperts.data);
  if (capture.routingMatrices !== undefined) texts.push(...capture.routingMatrices);
  if (capture.rawRequest !== undefined) texts.push(capture.rawRequest);
  if (capture.rawResponse !== undefined) texts.push(capture.rawResponse);
  return texts;
}
