import { describeByte, JsonSyntaxError, maxScanDepth } from './json-syntax-error.ts';

// A string's first bytes are looked at one by one; only what is longer is worth a call into native code.
const nearBytes = 48;

const literals = ['true', 'false', 'null', 'NaN', 'Infinity', '-Infinity'].map((text) => Buffer.from(text));

/**
 * Walks over JSON in bytes without building values: the caller reads what it wants and skips the rest.
 * Members and items are visited with a loop, in which the caller reads or skips exactly one value each time:
 *
 * ```ts
 * for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
 *   if (scanner.key() === 'model') model = scanner.readString();
 *   else scanner.skipValue();
 * }
 * ```
 *
 * Structure, numbers and literals are checked (Python's `NaN` and `Infinity` are let through, as its servers do); what is
 * inside strings that are skipped is not, since it continues as it is.
 */
export class JsonScanner {
  readonly bytes: Buffer;
  readonly end: number;
  /** The next byte to read. */
  at: number;
  /** How many containers are open around `at`. */
  depth = 0;
  /** Place of the last member: its name's opening quote, its value's first byte. */
  keyStart = 0;
  valueStart = 0;
  /** Place of the byte after the last member's closing quote of the name. */
  keyEnd = 0;
  /** True if the last skipped string has escapes. */
  escaped = false;
  #keyEscaped = false;

  /** @param start where to begin. @default 0, or after a byte order mark */
  constructor(bytes: Uint8Array, start?: number, end: number = bytes.length) {
    this.bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = start ?? (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
    this.end = end;
  }

  /** The next byte that is not white space, or -1 at the end. */
  peek(): number {
    while (this.at < this.end) {
      const byte = this.bytes[this.at] as number;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
      this.at += 1;
    }
    return -1;
  }

  /** Enters an object; whether it has a member, which is then current. */
  firstMember(): boolean {
    if (this.peek() !== 0x7b) this.fail('an object');
    this.#open();
    if (this.peek() === 0x7d) return this.#close();
    this.#member();
    return true;
  }

  /** True if there is another member; leaves the object where there is none. */
  nextMember(): boolean {
    const byte = this.peek();
    if (byte === 0x7d) return this.#close();
    if (byte !== 0x2c) this.fail('"," or "}"');
    this.at += 1;
    this.#member();
    return true;
  }

  /** Enters an array; whether it has an item. */
  firstItem(): boolean {
    if (this.peek() !== 0x5b) this.fail('an array');
    this.#open();
    if (this.peek() === 0x5d) return this.#close();
    return true;
  }

  /** True if there is another item; leaves the array where there is none. */
  nextItem(): boolean {
    const byte = this.peek();
    if (byte === 0x5d) return this.#close();
    if (byte !== 0x2c) this.fail('"," or "]"');
    this.at += 1;
    this.peek();
    return true;
  }

  /** The current member's name. */
  key(): string {
    return this.#keyEscaped
      ? this.#decode(this.keyStart, this.keyEnd)
      : this.bytes.toString('utf8', this.keyStart + 1, this.keyEnd - 1);
  }

  /** True if the current member's name is this ASCII text; cheaper than {@link key} in long lists. */
  keyIs(name: string): boolean {
    if (this.#keyEscaped) return this.key() === name;
    const start = this.keyStart + 1;
    if (this.keyEnd - 1 - start !== name.length) return false;
    for (let at = 0; at < name.length; at += 1) {
      if (this.bytes[start + at] !== name.charCodeAt(at)) return false;
    }
    return true;
  }

  /** Goes past the next value, whatever it is. */
  skipValue(): void {
    const byte = this.peek();
    if (byte === 0x22) this.skipString();
    else if (byte === 0x7b)
      for (let more = this.firstMember(); more; more = this.nextMember()) this.skipValue();
    else if (byte === 0x5b) for (let more = this.firstItem(); more; more = this.nextItem()) this.skipValue();
    else this.skipScalar();
  }

  /** Goes past the next value if it is this literal or number, spelled so. */
  skipIf(text: Buffer): boolean {
    this.peek();
    const end = this.at + text.length;
    if (end > this.end || text.compare(this.bytes, this.at, end) !== 0) return false;
    this.at = end;
    return true;
  }

  skipNull(): boolean {
    return this.peek() === 0x6e && this.skipIf(literals[2] as Buffer);
  }

  /** Goes past the next value unless it is an object; whether it did. */
  skipUnlessObject(): boolean {
    if (this.peek() === 0x7b) return false;
    this.skipValue();
    return true;
  }

  /** Goes past the next value unless it is an array; whether it did. */
  skipUnlessArray(): boolean {
    if (this.peek() === 0x5b) return false;
    this.skipValue();
    return true;
  }

  /** The next value if it is a text; goes past it in any case. */
  readString(): string | undefined {
    if (this.peek() !== 0x22) {
      this.skipValue();
      return undefined;
    }
    const start = this.at;
    this.skipString();
    return this.escaped ? this.#decode(start, this.at) : this.bytes.toString('utf8', start + 1, this.at - 1);
  }

  /** The next value's JSON text, as it is spelled. */
  readText(): string {
    this.peek();
    const start = this.at;
    this.skipValue();
    return this.bytes.toString('utf8', start, this.at);
  }

  /** `at` is an opening quote; goes past the closing one. */
  skipString(): void {
    const { bytes, end } = this;
    let at = this.at + 1;
    this.escaped = false;
    for (;;) {
      const near = Math.min(at + nearBytes, end);
      let byte = 0;
      while (at < near) {
        byte = bytes[at] as number;
        if (byte === 0x22 || byte === 0x5c) break;
        at += 1;
      }
      // Beyond it where the text ends within an escape.
      if (at >= near) {
        if (near === end) break;
        // From quote to quote: escapes between them are no end, and native code goes past them.
        const quote = bytes.indexOf(0x22, at);
        if (quote === -1 || quote >= end) break;
        let backslashes = 0;
        while (quote - backslashes > at && bytes[quote - backslashes - 1] === 0x5c) backslashes += 1;
        this.escaped ||= backslashes > 0 || bytes.subarray(at, quote).includes(0x5c);
        at = quote + 1;
        if (backslashes % 2 === 1) continue;
        this.at = at;
        return;
      }
      if (byte === 0x22) {
        this.at = at + 1;
        return;
      }
      this.escaped = true;
      at += 2;
    }
    this.at = end;
    this.fail('a closing quote');
  }

  /** Goes past a number or literal. */
  skipScalar(): void {
    const { bytes, end } = this;
    const start = this.at;
    let at = start;
    if (bytes[at] === 0x2d) at += 1;
    const integer = at;
    at = digitsEnd(bytes, at, end);
    // No digit, or a zero with more digits after it.
    if (at === integer || (bytes[integer] === 0x30 && at > integer + 1)) return this.#skipLiteral();
    if (bytes[at] === 0x2e && at < end) {
      const fraction = at + 1;
      at = digitsEnd(bytes, fraction, end);
      if (at === fraction) this.#failAt(at, 'a digit after the decimal point');
    }
    if (((bytes[at] as number) | 0x20) === 0x65 && at < end) {
      at += 1;
      if (bytes[at] === 0x2b || bytes[at] === 0x2d) at += 1;
      const exponent = at;
      at = digitsEnd(bytes, exponent, end);
      if (at === exponent) this.#failAt(at, 'a digit in the exponent');
    }
    this.at = at;
  }

  /** Only white space may follow. */
  finish(): void {
    if (this.peek() !== -1) this.fail('the end');
  }

  /** Goes past an opening bracket. The bound on depth is what keeps a hostile body from the end of the stack. */
  #open(): void {
    if (this.depth >= maxScanDepth) {
      throw new JsonSyntaxError(this.at, `at most ${maxScanDepth} levels`, 'another one', true);
    }
    this.depth += 1;
    this.at += 1;
  }

  /** Reads a member's name and colon, up to its value. */
  #member(): void {
    if (this.peek() !== 0x22) this.fail('a member name in double quotes');
    this.keyStart = this.at;
    this.skipString();
    this.keyEnd = this.at;
    this.#keyEscaped = this.escaped;
    if (this.peek() !== 0x3a) this.fail('":"');
    this.at += 1;
    this.peek();
    this.valueStart = this.at;
  }

  #close(): false {
    this.depth -= 1;
    this.at += 1;
    return false;
  }

  #skipLiteral(): void {
    for (const literal of literals) {
      if (this.skipIf(literal)) return;
    }
    this.fail('a value');
  }

  #decode(start: number, end: number): string {
    try {
      return JSON.parse(this.bytes.toString('utf8', start, end)) as string;
    } catch {
      throw new JsonSyntaxError(
        start,
        'a text with escapes of JSON',
        'another escape or a control character',
      );
    }
  }

  #failAt(at: number, expected: string): never {
    this.at = at;
    this.fail(expected);
  }

  /** @throws JsonSyntaxError */
  fail(expected: string): never {
    const { at, bytes, end } = this;
    throw new JsonSyntaxError(at, expected, describeByte(at < end ? bytes[at] : undefined));
  }
}

function digitsEnd(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x39) at += 1;
  return at;
}
