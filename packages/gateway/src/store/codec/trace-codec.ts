import type { NewTrace, TextBytes } from '../../capture/new-trace.ts';
import { idWidth, packIds, type IdWidth } from './packed-ids.ts';
import { logprobWidth, packLogprobs, type LogprobWidth } from './packed-logprobs.ts';
import type { StoredTrace } from './stored-trace.ts';

/** What a trace shares with earlier ones of its session; parents are ordinals, -1 for none. */
export interface TraceSharing {
  promptParent: number;
  promptKept: number;
  messagesParent: number;
  messagesKept: number;
  toolsAt: number;
}

// The layout: 14 words of 32 bits, then the length of each text, then header JSON, ids, logprobs and texts.
const wordCount = 14;
const noLogprobs = 0xffff_ffff;

/** The texts that a trace holds itself, in their order. */
function ownTexts(trace: NewTrace, sharing: TraceSharing, hasTools: boolean): TextBytes[] {
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
  const texts = ownTexts(trace, sharing, hasTools);
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
