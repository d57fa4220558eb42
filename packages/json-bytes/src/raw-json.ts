/** One member of an object. Its value is at `start` to `end` (exclusive) of the text. */
export interface RawMember {
  /** Decoded: escapes in names are resolved. */
  name: string;
  start: number;
  end: number;
}

const quote = 0x22;
const backslash = 0x5c;
const closingBrace = 0x7d;
const closingBracket = 0x5d;

/**
 * Where the values of a JSON text begin and end, so that they can be cut out as they were written. The text is read once,
 * however deep one looks into it afterwards.
 */
export class RawJson {
  readonly text: string;
  /** Ends of strings, objects and arrays by their starts. */
  readonly #ends = new Map<number, number>();

  /** @param text valid JSON, which the caller has checked */
  constructor(text: string) {
    this.text = text;
    this.#index();
  }

  /** Where the outermost value begins. */
  get start(): number {
    return skipSpace(this.text, 0);
  }

  /** Where the value that begins at `start` ends. */
  endOf(start: number): number {
    return this.#ends.get(start) ?? endOfScalar(this.text, start);
  }

  /** The members of the object that begins at `start`, in their order, duplicates included. */
  members(start: number): RawMember[] {
    const members: RawMember[] = [];
    let at = skipSpace(this.text, start + 1);
    while (this.text.charCodeAt(at) === quote) {
      const nameEnd = this.endOf(at);
      const name = decode(this.text.slice(at, nameEnd));
      const valueStart = skipSpace(this.text, skipSpace(this.text, nameEnd) + 1);
      const end = this.endOf(valueStart);
      members.push({ name, start: valueStart, end });
      at = skipSpace(this.text, skipSpace(this.text, end) + 1);
    }
    return members;
  }

  /** The elements of the array that begins at `start`: where each begins. */
  elements(start: number): number[] {
    const elements: number[] = [];
    let at = skipSpace(this.text, start + 1);
    if (this.text.charCodeAt(at) === closingBracket) return elements;
    for (;;) {
      elements.push(at);
      const after = skipSpace(this.text, this.endOf(at));
      if (this.text[after] !== ',') return elements;
      at = skipSpace(this.text, after + 1);
    }
  }

  #index(): void {
    const { text } = this;
    // A stack of its own: depth costs memory, not the call stack.
    const open: number[] = [];
    for (let at = 0; at < text.length; at += 1) {
      switch (text.charCodeAt(at)) {
        case quote: {
          const start = at;
          at = closingQuote(text, at);
          this.#ends.set(start, at + 1);
          break;
        }
        case 0x7b: // {
        case 0x5b: // [
          open.push(at);
          break;
        case closingBrace:
        case closingBracket: {
          const start = open.pop();
          if (start !== undefined) this.#ends.set(start, at + 1);
          break;
        }
        default:
      }
    }
  }
}

function closingQuote(text: string, opening: number): number {
  let at = opening + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    // NaN, past the end, cannot be in valid JSON; it ends the loop all the same.
    if (code === quote || Number.isNaN(code)) return at;
    at += code === backslash ? 2 : 1;
  }
}

function endOfScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length && !',]} \t\n\r'.includes(text.charAt(at))) at += 1;
  return at;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

function decode(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}
