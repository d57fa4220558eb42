import type { JsonScanner } from './json-scanner.ts';

// Up to here a power of ten is exact in a double, and so is dividing an exact integer by it (W. D. Clinger, "How to read
// floating point numbers accurately", 1990): the short way gives the same bits as the long one.
const powersOfTen = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/**
 * Reads the next value as a double and goes past it; NaN where it is no number (null, a text). The bits are those that
 * `Number` gives for the same text.
 */
export function readNumber(scanner: JsonScanner): number {
  scanner.peek();
  const { bytes, end } = scanner;
  const start = scanner.at;
  const negative = bytes[start] === 0x2d;
  const integerStart = negative ? start + 1 : start;
  let at = integerStart;
  let mantissa = 0;
  let byte = bytes[at] as number;
  while (at < end && byte >= 0x30 && byte <= 0x39) {
    mantissa = mantissa * 10 + (byte - 0x30);
    at += 1;
    byte = bytes[at] as number;
  }
  const integerDigits = at - integerStart;
  if (integerDigits === 0 || (integerDigits > 1 && bytes[integerStart] === 0x30)) return readSlowly(scanner);
  let decimals = 0;
  if (at < end && byte === 0x2e) {
    at += 1;
    byte = bytes[at] as number;
    const fraction = at;
    while (at < end && byte >= 0x30 && byte <= 0x39) {
      mantissa = mantissa * 10 + (byte - 0x30);
      at += 1;
      byte = bytes[at] as number;
    }
    decimals = at - fraction;
    if (decimals === 0) return readSlowly(scanner);
  }
  const hasExponent = at < end && (byte | 0x20) === 0x65;
  if (hasExponent || decimals > 22 || mantissa > Number.MAX_SAFE_INTEGER) return readSlowly(scanner);
  scanner.at = at;
  const value = mantissa / (powersOfTen[decimals] as number);
  return negative ? -value : value;
}

function readSlowly(scanner: JsonScanner): number {
  const first = scanner.peek();
  const start = scanner.at;
  scanner.skipValue();
  if (first === 0x22 || first === 0x7b || first === 0x5b) return Number.NaN;
  const text = scanner.bytes.toString('latin1', start, scanner.at);
  // `Number` reads the literals null, true and false as NaN too, and knows Infinity.
  return Number(text);
}

/**
 * Reads an array of numbers and goes past it; what is no number (null, a text) is NaN in its place.
 * undefined, and past it all the same, where the value is no array.
 */
export function readNumbers(scanner: JsonScanner): Float64Array | undefined {
  if (scanner.skipUnlessArray()) return undefined;
  const values: number[] = [];
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) values.push(readNumber(scanner));
  return new Float64Array(values);
}

/** Stands in for a value that is no token id, so that the others keep their places. */
export const unreadableTokenId = -1;

/** The ids of an array, with the first thing in it that is none. */
export interface TokenIds {
  values: Int32Array;
  problem: string | undefined;
}

const largestId = 0x7fff_ffff;

/** Reads an array of token ids and goes past it. undefined, and past it all the same, where the value is no array. */
export function readTokenIds(scanner: JsonScanner): TokenIds | undefined {
  if (scanner.skipUnlessArray()) return undefined;
  const ids = new GrowingIds();
  let problem: string | undefined;
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) {
    ids.readRun(scanner);
    const value = readOne(scanner);
    if (value === unreadableTokenId) problem ??= `item ${ids.length} is no token id`;
    ids.push(value);
  }
  return { values: ids.toArray(), problem };
}

/**
 * Reads ids that are grouped by prompt, as TensorRT-LLM may write them: `[[1, 2], [3]]`. A flat array is one group.
 * undefined, and past it, where the value is no array.
 */
export function readTokenIdLists(scanner: JsonScanner): TokenIds[] | undefined {
  if (scanner.skipUnlessArray()) return undefined;
  const { at: start, depth } = scanner;
  if (!scanner.firstItem()) return [{ values: new Int32Array(0), problem: undefined }];
  if (scanner.peek() !== 0x5b) {
    scanner.at = start;
    scanner.depth = depth;
    const flat = readTokenIds(scanner);
    return flat === undefined ? undefined : [flat];
  }
  const lists: TokenIds[] = [];
  for (let more = true; more; more = scanner.nextItem()) {
    const list = readTokenIds(scanner);
    lists.push(list ?? { values: new Int32Array(0), problem: `group ${lists.length} is no array` });
  }
  return lists;
}

// However it is spelled; the scanner judges whether it is JSON.
function readOne(scanner: JsonScanner): number {
  const start = scanner.at;
  scanner.skipValue();
  const value = Number(scanner.bytes.toString('latin1', start, scanner.at));
  // A server in a language whose numbers are all floats writes 7.0 or 7e0.
  return Number.isInteger(value) && value >= 0 && value <= largestId ? value : unreadableTokenId;
}

class GrowingIds {
  #values = new Int32Array(16);
  length = 0;

  push(id: number): void {
    if (this.length === this.#values.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length] = id;
    this.length += 1;
  }

  /** Reads ids as nearly all are spelled: digits, a comma, perhaps a space. Stops in front of anything else. */
  readRun(scanner: JsonScanner): void {
    const { bytes, end } = scanner;
    for (let start = scanner.at; ;) {
      let at = start;
      let value = 0;
      let byte = bytes[at] as number;
      while (byte >= 0x30 && byte <= 0x39) {
        value = value * 10 + (byte - 0x30);
        at += 1;
        byte = bytes[at] as number;
      }
      const hasLeadingZero = bytes[start] === 0x30 && at > start + 1;
      if (byte !== 0x2c || at === start || at + 1 >= end || value > largestId || hasLeadingZero) return;
      this.push(value);
      start = bytes[at + 1] === 0x20 ? at + 2 : at + 1;
      scanner.at = start;
    }
  }

  toArray(): Int32Array {
    return this.#values.slice(0, this.length);
  }
}
