import type { TextBytes, NewTrace } from './trace-store.ts';
import {
  type PackedIds,
  type LogprobWidth,
  idWidth,
  packIds,
  type IdWidth,
  logprobWidth,
  packLogprobs,
} from './packed-numbers.ts';
import { parseJson, stringifyJson } from '@art/protocol';
import type { Trace } from '@art/trajectories';

/** Whether the bytes from `start` to `end` are a text in UTF-8. */
function isEqualText(bytes: Buffer, start: number, end: number, text: TextBytes): boolean {
  const length = end - start;
  if (typeof text !== 'string')
    return text.byteLength === length && bytes.compare(text, 0, length, start, end) === 0;
  // UTF-16 units: a text has at least as many bytes as units, and at most three for each.
  if (text.length > length || text.length * 3 < length || Buffer.byteLength(text) !== length) return false;
  return bytes.compare(Buffer.from(text), 0, length, start, end) === 0;
}

/**
 * A trace as it is kept: what it shares with an earlier trace of its session is not repeated. Everything lies in one
 * buffer, which is at the same time its record on disk; this object says where in the buffer.
 *
 * A trace's tokens are its prompt and then its completion, its texts are its messages and then its response. The first
 * `kept` of them are those of the parent.
 */
export interface StoredTrace {
  readonly bytes: Buffer;
  /** Ordinal of the trace in the session whose tokens this one begins with; -1 for none. */
  readonly promptParent: number;
  readonly promptKept: number;
  readonly promptSuffix: PackedIds;
  readonly completion: PackedIds;
  /** Undefined where the engine gave none. */
  readonly logprobs:
    | { readonly offset: number; readonly count: number; readonly width: LogprobWidth }
    | undefined;
  readonly messagesParent: number;
  readonly messagesKept: number;
  /** How many of the texts are messages; the response is the one behind them. */
  readonly messageCount: number;
  /** Ordinal of the trace that holds the text of the tools, which may be this one; -1 for none. */
  readonly toolsAt: number;
  /** Where each text begins, and behind the last of them where it ends. */
  readonly textOffsets: Int32Array;
  /** Where the JSON of all other fields is. */
  readonly headerStart: number;
  readonly headerEnd: number;
}

/** The texts, messages and response, that a trace holds itself; they are not copied. */
export function ownTexts({ bytes, textOffsets, messageCount }: StoredTrace): Buffer[] {
  return Array.from({ length: messageCount + 1 }, (_, index) =>
    bytes.subarray(textOffsets[index], textOffsets[index + 1]),
  );
}

/** A text of a trace by its place among its own ones: messages, response, tools, and what the header lists. */
export function textAt(trace: StoredTrace, index: number): string {
  return trace.bytes.toString('utf8', trace.textOffsets[index], trace.textOffsets[index + 1]);
}

/** Whether that text is this one. */
export function isTextAt(trace: StoredTrace, index: number, text: TextBytes): boolean {
  return isEqualText(trace.bytes, trace.textOffsets[index]!, trace.textOffsets[index + 1]!, text);
}

/** Fields of a trace that are neither tokens nor long texts; they are kept as JSON. */
type HeaderFields = Pick<
  Trace,
  | 'traceId'
  | 'sessionId'
  | 'choiceIndex'
  | 'choiceCount'
  | 'wire'
  | 'engine'
  | 'worker'
  | 'model'
  | 'timestampMs'
  | 'latencyMs'
  | 'finishReason'
  | 'weightVersion'
  | 'weightVersions'
  | 'usage'
  | 'temperature'
  | 'topP'
  | 'capture'
  | 'problems'
  | 'metadata'
>;

/** What a stored trace says of itself without its parents being looked at. */
export interface TraceHeader extends HeaderFields {
  /** Which trace of its session, from 0. */
  ordinal: number;
  storedAtMs: number;
  /** Texts behind the response, in this order. */
  hasTools: boolean;
  experts:
    | { encoding: NonNullable<Trace['routedExperts']>['encoding']; shape?: readonly number[] }
    | undefined;
  matrixCount: number | undefined;
  hasRawRequest: boolean;
  hasRawResponse: boolean;
}

/** @throws ArtError `ART_JSON_WRITE` if the metadata is not JSON */
export function writeTraceHeader(
  trace: NewTrace,
  at: { ordinal: number; storedAtMs: number; hasTools: boolean },
): string {
  const { routedExperts } = trace;
  const fields = {
    ...at,
    experts: routedExperts && { encoding: routedExperts.encoding, shape: routedExperts.shape },
    matrixCount: trace.routingMatrices?.length,
    hasRawRequest: trace.rawRequest !== undefined,
    hasRawResponse: trace.rawResponse !== undefined,
    traceId: trace.traceId,
    sessionId: trace.sessionId,
    choiceIndex: trace.choiceIndex,
    choiceCount: trace.choiceCount,
    wire: trace.wire,
    engine: trace.engine,
    worker: trace.worker,
    model: trace.model,
    timestampMs: trace.timestampMs,
    latencyMs: trace.latencyMs,
    finishReason: trace.finishReason,
    weightVersion: trace.weightVersion,
    weightVersions: trace.weightVersions,
    usage: trace.usage,
    temperature: trace.temperature,
    topP: trace.topP,
    capture: trace.capture,
    problems: trace.problems,
  };
  // Only the metadata comes from outside and may hold what JSON.stringify would change.
  return `${JSON.stringify(fields).slice(0, -1)},"metadata":${stringifyJson(trace.metadata)}}`;
}

export function readTraceHeader({ bytes, headerStart, headerEnd }: StoredTrace): TraceHeader {
  const header = parseJson(bytes.toString('utf8', headerStart, headerEnd)) as unknown as TraceHeader;
  return {
    ...header,
    experts: header.experts,
    matrixCount: header.matrixCount,
    finishReason: header.finishReason,
    weightVersion: header.weightVersion,
    usage: { prompt: header.usage.prompt, completion: header.usage.completion },
    temperature: header.temperature,
    topP: header.topP,
  };
}

/** What a trace shares with earlier ones of its session; parents are ordinals, -1 for none. */
interface TraceSharing {
  promptParent: number;
  promptKept: number;
  messagesParent: number;
  messagesKept: number;
  toolsAt: number;
}

// The layout: 14 words of 32 bits, then the length of each text, then header JSON, ids, logprobs and texts.
const wordCount = 14;
const noLogprobs = 0xffff_ffff;

/** The texts that a trace will hold itself, in their order. */
function textsToKeep(trace: NewTrace, sharing: TraceSharing, hasTools: boolean): TextBytes[] {
  const texts = trace.messages.slice(sharing.messagesKept);
  texts.push(trace.responseMessage);
  if (hasTools && trace.tools !== undefined) texts.push(trace.tools);
  if (trace.routedExperts !== undefined) texts.push(trace.routedExperts.data);
  if (trace.routingMatrices !== undefined) texts.push(...trace.routingMatrices);
  if (trace.rawRequest !== undefined) texts.push(trace.rawRequest);
  if (trace.rawResponse !== undefined) texts.push(trace.rawResponse);
  return texts;
}

/** Writes a trace into a buffer of its own. */
export function encodeTrace(
  trace: NewTrace,
  sharing: TraceSharing,
  header: string,
  hasTools: boolean,
): Buffer {
  const texts = textsToKeep(trace, sharing, hasTools);
  const { promptTokenIds, completionTokenIds, logprobs } = trace;
  const promptWidth = idWidth(promptTokenIds, sharing.promptKept);
  const completionWidth = idWidth(completionTokenIds);
  const logprobBytes = logprobs === undefined ? 4 : logprobWidth(logprobs);
  const headerBytes = Buffer.byteLength(header);
  const textBytes = texts.map((text) =>
    typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength,
  );
  const promptCount = promptTokenIds.length - sharing.promptKept;
  const size =
    (wordCount + texts.length) * 4 +
    headerBytes +
    promptCount * promptWidth +
    completionTokenIds.length * completionWidth +
    (logprobs?.length ?? 0) * logprobBytes +
    textBytes.reduce((sum, length) => sum + length, 0);
  // Not from the pool: a slice of it would keep 8 KB alive for a trace of a few hundred bytes.
  const bytes = Buffer.allocUnsafeSlow(size);
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
    sharing.toolsAt + 1,
    headerBytes,
    trace.messages.length - sharing.messagesKept,
    texts.length,
  ];
  let at = 0;
  for (const word of words) at = bytes.writeUInt32LE(word, at);
  for (const length of textBytes) at = bytes.writeUInt32LE(length, at);
  at += bytes.write(header, at);
  at = packIds(promptTokenIds, sharing.promptKept, promptWidth, bytes, at);
  at = packIds(completionTokenIds, 0, completionWidth, bytes, at);
  if (logprobs !== undefined) at = packLogprobs(logprobs, logprobBytes, bytes, at);
  for (const [index, text] of texts.entries()) {
    if (typeof text === 'string') bytes.write(text, at);
    else bytes.set(text, at);
    at += textBytes[index]!;
  }
  return bytes;
}

/** Finds its way in a buffer that `encodeTrace` wrote; nothing is copied. */
export function decodeTrace(bytes: Buffer): StoredTrace {
  const word = (index: number): number => bytes.readUInt32LE(index * 4);
  const textTotal = word(13);
  const headerStart = (wordCount + textTotal) * 4;
  const headerEnd = headerStart + word(11);
  const promptSuffix = { bytes, offset: headerEnd, count: word(2), width: word(3) as IdWidth };
  const completion = {
    bytes,
    offset: headerEnd + promptSuffix.count * promptSuffix.width,
    count: word(4),
    width: word(5) as IdWidth,
  };
  const logprobStart = completion.offset + completion.count * completion.width;
  const logprobWidth = word(7) as LogprobWidth;
  const logprobs =
    word(6) === noLogprobs ? undefined : { offset: logprobStart, count: word(6), width: logprobWidth };
  const textOffsets = new Int32Array(textTotal + 1);
  textOffsets[0] = logprobStart + (logprobs?.count ?? 0) * logprobWidth;
  for (let index = 0; index < textTotal; index += 1) {
    textOffsets[index + 1] = textOffsets[index]! + word(wordCount + index);
  }
  return {
    bytes,
    promptParent: word(0) - 1,
    promptKept: word(1),
    promptSuffix,
    completion,
    logprobs,
    messagesParent: word(8) - 1,
    messagesKept: word(9),
    messageCount: word(12),
    toolsAt: word(10) - 1,
    textOffsets,
    headerStart,
    headerEnd,
  };
}
