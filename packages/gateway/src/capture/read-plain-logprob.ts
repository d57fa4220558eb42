import type { JsonScanner } from '../json/json-scanner.ts';
import { readNumber } from '../json/read-number.ts';

const token = Buffer.from('"token":"');
const logprob = Buffer.from('"logprob":');
const byteList = Buffer.from('"bytes":');
const nothing = Buffer.from('null');
const noOthers = Buffer.from('"top_logprobs":[]');
const idPrefix = 'token_id:';

/**
 * Reads an item of `logprobs.content` that is spelled as engines spell it: without white space, with no other members than
 * these, with no other candidates. Such items are most of a reply's bytes behind the ids, and looked at member by member
 * they take twice as long.
 * @returns the logprob, NaN where it has none; undefined, with the scanner where it was, for an item that is spelled
 * otherwise or names a token by its id
 */
export function readPlainLogprob(scanner: JsonScanner): number | undefined {
  const { bytes, end, at: start } = scanner;
  if (bytes[start] !== 0x7b) return undefined;
  let value = Number.NaN;
  let at = start + 1;
  for (;;) {
    let next = -1;
    if (isAt(bytes, at, token)) next = tokenEnd(bytes, at + token.length, end);
    else if (isAt(bytes, at, logprob)) {
      scanner.at = at + logprob.length;
      value = readNumber(scanner);
      next = scanner.at;
    } else if (isAt(bytes, at, byteList)) next = byteListEnd(bytes, at + byteList.length);
    else if (isAt(bytes, at, noOthers)) next = at + noOthers.length;
    // What lies behind the end is another document.
    if (next === -1 || next >= end) break;
    const after = bytes[next];
    at = next + 1;
    if (after === 0x2c) continue;
    if (after !== 0x7d) break;
    scanner.at = at;
    return value;
  }
  scanner.at = start;
  return undefined;
}

function isAt(bytes: Buffer, at: number, text: Buffer): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text[index]) return false;
  }
  return true;
}

/** Behind the closing quote of a text that begins at `start`; -1 for none, and for one that is an id. */
function tokenEnd(bytes: Buffer, start: number, end: number): number {
  if (bytes[start + idPrefix.length - 1] === 0x3a) return -1;
  let at = start;
  while (at < end) {
    const byte = bytes[at];
    if (byte === 0x22) return at + 1;
    at += byte === 0x5c ? 2 : 1;
  }
  return -1;
}

/** Behind a list of plain numbers, or behind null; -1 for anything else. */
function byteListEnd(bytes: Buffer, start: number): number {
  if (isAt(bytes, start, nothing)) return start + nothing.length;
  if (bytes[start] !== 0x5b) return -1;
  let at = start + 1;
  if (bytes[at] === 0x5d) return at + 1;
  for (;;) {
    const first = bytes[at];
    if (!isDigit(first)) return -1;
    at += 1;
    if (first !== 0x30) while (isDigit(bytes[at])) at += 1;
    const after = bytes[at];
    at += 1;
    if (after === 0x5d) return at;
    if (after !== 0x2c) return -1;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
