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
  if (scanner.peek() !== 0x5b) {
    scanner.skipValue();
    return undefined;
  }
  const values: number[] = [];
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) values.push(readNumber(scanner));
  return new Float64Array(values);
}
