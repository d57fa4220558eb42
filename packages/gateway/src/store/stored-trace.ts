import type { TextBytes, NewTrace } from './trace-store.ts';
import {
  type PackedIds,
  type LogprobWidth,
  idWidth,
  packIds,
  type IdWidth,
  logprobWidth,
  packLogprobs,
  unpackLogprobs,
} from './packed-numbers.ts';
import { readTraceHeader, writeTraceHeader, type TraceHeader } from './trace-header.ts';

// The layout: 14 words of 32 bits, then where each text ends, then header JSON, ids, logprobs and texts.
const wordCount = 14;
const noLogprobs = 0xffff_ffff;

/**
 * A trace as it is kept: what it shares with an earlier trace of its session is not repeated. Everything lies in one
 * buffer, which is at the same time its record on disk; nothing is copied until it is read.
 *
 * A trace's tokens are its prompt and then its completion, its texts are its messages and then its response. The first
 * `kept` of them are those of the parent.
 */
export class StoredTrace {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Ordinal of the trace in the session whose tokens this one begins with; -1 for none. */
  get promptParent(): number {
    return this.#word(0) - 1;
  }

  get promptKept(): number {
    return this.#word(1);
  }

  get promptSuffix(): PackedIds {
    return this.#ids(this.#headerEnd, 2);
  }

  get completion(): PackedIds {
    return this.#ids(endOf(this.promptSuffix), 4);
  }

  /** Undefined where the engine gave none. */
  get logprobs(): Float64Array | undefined {
    const count = this.#word(6);
    if (count === noLogprobs) return undefined;
    return unpackLogprobs(this.bytes, endOf(this.completion), count, this.#word(7) as LogprobWidth);
  }

  get messagesParent(): number {
    return this.#word(8) - 1;
  }

  get messagesKept(): number {
    return this.#word(9);
  }

  /** How many of the texts are messages; the response is the one behind them. */
  get messageCount(): number {
    return this.#word(12);
  }

  /** Ordinal of the trace that holds the text of the tools, which may be this one; -1 for none. */
  get toolsAt(): number {
    return this.#word(10) - 1;
  }

  header(): TraceHeader {
    const start = this.#headerEnd - this.#word(11);
    return readTraceHeader(this.bytes.toString('utf8', start, this.#headerEnd));
  }

  /** A text by its place among its own ones: messages, response, tools, and what the header lists. */
  text(index: number): string {
    return this.bytes.toString('utf8', this.#textStart(index), this.#textStart(index + 1));
  }

  /** Whether that text is this one. */
  isText(index: number, text: TextBytes): boolean {
    const start = this.#textStart(index);
    const end = this.#textStart(index + 1);
    const byteLength = typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength;
    if (byteLength !== end - start) return false;
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    return this.bytes.compare(bytes, 0, byteLength, start, end) === 0;
  }

  get #headerEnd(): number {
    return (wordCount + this.#word(13)) * 4 + this.#word(11);
  }

  #ids(offset: number, word: number): PackedIds {
    return { bytes: this.bytes, offset, count: this.#word(word), width: this.#word(word + 1) as IdWidth };
  }

  /** Texts come last; what is kept of each is where it ends, counted from where the first begins. */
  #textStart(index: number): number {
    const end = (at: number): number => (at < 0 ? 0 : this.#word(wordCount + at));
    return this.bytes.byteLength - end(this.#word(13) - 1) + end(index - 1);
  }

  #word(index: number): number {
    return this.bytes.readUInt32LE(index * 4);
  }
}

function endOf({ offset, count, width }: PackedIds): number {
  return offset + count * width;
}

/** Where a trace stands, and what it shares with earlier ones of its session; parents are ordinals, -1 for none. */
export interface TraceSharing {
  ordinal: number;
  promptParent: number;
  promptKept: number;
  messagesParent: number;
  messagesKept: number;
  toolsAt: number;
}

/** Writes a trace into a buffer of its own. @throws ArtError `ART_JSON_WRITE` if the metadata is not JSON */
export function storeTrace(trace: NewTrace, sharing: TraceSharing, storedAtMs: number): StoredTrace {
  const { ordinal, toolsAt } = sharing;
  const hasTools = toolsAt === ordinal;
  const header = writeTraceHeader(trace, { ordinal, storedAtMs, hasTools });
  const texts = textsToKeep(trace, sharing.messagesKept, hasTools);
  const { promptTokenIds, completionTokenIds, logprobs } = trace;
  const promptWidth = idWidth(promptTokenIds, sharing.promptKept);
  const completionWidth = idWidth(completionTokenIds);
  const logprobBytes = logprobs === undefined ? 4 : logprobWidth(logprobs);
  const headerBytes = Buffer.byteLength(header);
  let textsEnd = 0;
  const textEnds = texts.map(
    (text) => (textsEnd += typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength),
  );
  const promptCount = promptTokenIds.length - sharing.promptKept;
  const words = [
    sharing.promptParent + 1,
    sharing.promptKept,
    promptCount,
    promptWidth,
    completionTokenIds.length,
    completionWidth,
    logprobs?.length ?? noLogprobs,
    logprobBytes,
    sharing.messagesParent + 1,
    sharing.messagesKept,
    toolsAt + 1,
    headerBytes,
    trace.messages.length - sharing.messagesKept,
    texts.length,
    ...textEnds,
  ];
  // Not from the pool: a slice of it would keep 8 KB alive for a trace of a few hundred bytes.
  const bytes = Buffer.allocUnsafeSlow(
    words.length * 4 +
      headerBytes +
      promptCount * promptWidth +
      completionTokenIds.length * completionWidth +
      (logprobs?.length ?? 0) * logprobBytes +
      textsEnd,
  );
  let at = 0;
  for (const word of words) at = bytes.writeUInt32LE(word, at);
  at += bytes.write(header, at);
  at = packIds(promptTokenIds, sharing.promptKept, promptWidth, bytes, at);
  at = packIds(completionTokenIds, 0, completionWidth, bytes, at);
  if (logprobs !== undefined) at = packLogprobs(logprobs, logprobBytes, bytes, at);
  for (const [index, text] of texts.entries()) {
    const start = at + (textEnds[index - 1] ?? 0);
    if (typeof text === 'string') bytes.write(text, start);
    else bytes.set(text, start);
  }
  return new StoredTrace(bytes);
}

/** The texts that a trace holds itself, in their order. */
function textsToKeep(trace: NewTrace, messagesKept: number, hasTools: boolean): TextBytes[] {
  const texts = trace.messages.slice(messagesKept);
  texts.push(trace.responseMessage);
  if (hasTools && trace.tools !== undefined) texts.push(trace.tools);
  if (trace.routedExperts !== undefined) texts.push(trace.routedExperts.data);
  if (trace.routingMatrices !== undefined) texts.push(...trace.routingMatrices);
  if (trace.rawRequest !== undefined) texts.push(trace.rawRequest);
  if (trace.rawResponse !== undefined) texts.push(trace.rawResponse);
  return texts;
}
