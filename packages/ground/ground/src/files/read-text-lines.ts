import { TextDecoder } from 'node:util';
import { ArtError } from '../errors/art-error.ts';

/** Bytes or text in pieces that are cut anywhere: a file, a socket, standard input. */
export type TextSource = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

/** A line of a text, without its end. */
export interface TextLine {
  text: string;
  /** Counted from 1. */
  number: number;
  /** True if a line end follows; false for a last line that its writer may not have finished. */
  isEnded: boolean;
}

/**
 * Reads the lines of a UTF-8 text. A line ends at `\n`, with an optional `\r` before it, and nowhere else: JSON may contain
 * U+2028 and U+2029 as they are. A byte order mark at the beginning is left out.
 * @param origin the name of the text in messages, such as `tasks.jsonl`
 * @throws ArtError `ART_TEXT_ENCODING` with the number of the first line that is not UTF-8
 */
export async function* readTextLines(
  source: TextSource,
  origin: string,
): AsyncGenerator<TextLine, void, undefined> {
  let number = 0;
  let rest = '';
  for await (const piece of decodeText(source, origin)) {
    const lines = piece.split('\n');
    // One join a piece: a line of megabytes comes in many of them.
    lines[0] = rest + lines[0]!;
    rest = lines.pop()!;
    for (const line of lines)
      yield { text: line.endsWith('\r') ? line.slice(0, -1) : line, number: (number += 1), isEnded: true };
  }
  if (rest !== '') yield { text: rest, number: number + 1, isEnded: false };
}

/**
 * Decodes a UTF-8 text piece by piece, without a byte order mark.
 * @param origin the name of the text in messages
 * @throws ArtError `ART_TEXT_ENCODING` with the number of the first line that is not UTF-8
 */
export async function* decodeText(
  source: TextSource,
  origin: string,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  let isFirst = true;
  for await (const chunk of source) {
    if (isFirst && typeof chunk !== 'string') refuseUtf16(chunk, origin);
    isFirst = false;
    const text = typeof chunk === 'string' ? chunk : decoded(decoder, chunk, origin, line);
    line += text.split('\n').length - 1;
    if (text !== '') yield text;
  }
  const last = decoded(decoder, undefined, origin, line);
  if (last !== '') yield last;
}

function decoded(
  decoder: TextDecoder,
  chunk: Uint8Array | undefined,
  origin: string,
  firstLine: number,
): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (cause) {
    // Bytes below 0x80 are the same in every encoding of one byte a letter, so lines can be counted all the same.
    const before = chunk === undefined ? 0 : newlinesBefore(chunk, firstBadByte(chunk));
    throw notUtf8(`got other bytes in line ${firstLine + before} of ${origin}`, cause);
  }
}

function newlinesBefore(chunk: Uint8Array, end: number): number {
  let count = 0;
  for (let at = 0; at < end; at += 1) if (chunk[at] === 10) count += 1;
  return count;
}

/** The position of the first byte that cannot be decoded, by halves. */
function firstBadByte(chunk: Uint8Array): number {
  let [good, bad] = [0, chunk.length];
  while (good < bad) {
    const middle = Math.floor((good + bad) / 2);
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(chunk.subarray(0, middle + 1), { stream: true });
      good = middle + 1;
    } catch {
      bad = middle;
    }
  }
  return good;
}

function refuseUtf16(chunk: Uint8Array, origin: string): void {
  const [first, second] = chunk;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw notUtf8(`got UTF-16 in ${origin}`);
}

function notUtf8(got: string, cause?: unknown): ArtError {
  return new ArtError({
    code: 'ART_TEXT_ENCODING',
    message: `Expected text in UTF-8, ${got}. Save it as UTF-8: "iconv -f UTF-16 -t UTF-8" or "iconv -f LATIN1 -t UTF-8" converts it.`,
    cause,
  });
}
