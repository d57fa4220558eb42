import { ArtError } from './art-error.ts';
import { maxJsonDepth, type JsonObject, type JsonValue } from './json-value.ts';

// An integer literal of 16 digits or more may not fit a double. Digits after a point never need exactness:
// Python's floats routinely have 17 of them, and they must stay on the fast path.
const longInteger = /(?:^|[^.\d])\d{16,}(?![\d.eE])/;

/**
 * Reads JSON as Python writes it: bare `NaN`, `Infinity`, `-Infinity`, and integers past 2^53, which become `bigint`.
 * Everything else is exactly `JSON.parse`, which does the work wherever none of those occurs.
 * @throws ArtError `ART_JSON_PARSE` with line and column.
 */
export function parseJson(text: string): JsonValue {
  if (!longInteger.test(text)) {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // Python's dialect or no JSON at all: the parser below tells which, and where.
    }
  }
  return new TolerantParser(text).parse();
}

const numberToken = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const plainRun = /[^"\\\u0000-\u001f]*/y;
const whitespace = /[ \t\n\r]*/y;

const words: [string, JsonValue][] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
];

class TolerantParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): JsonValue {
    this.#skip(whitespace);
    const value = this.#value(0);
    this.#skip(whitespace);
    if (this.#at < this.#text.length) this.#fail('expected the end of the text');
    return value;
  }

  #value(depth: number): JsonValue {
    if (depth > maxJsonDepth) this.#fail(`nested deeper than ${maxJsonDepth} levels`);
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      default:
        return this.#scalar();
    }
  }

  #object(depth: number): JsonObject {
    const result: JsonObject = {};
    this.#at += 1;
    this.#skip(whitespace);
    if (this.#take('}')) return result;
    do {
      this.#skip(whitespace);
      if (this.#text[this.#at] !== '"') this.#fail('expected a member name in double quotes');
      const name = this.#string();
      this.#skip(whitespace);
      if (!this.#take(':')) this.#fail('expected ":"');
      this.#skip(whitespace);
      const value = this.#value(depth + 1);
      // Plain assignment to "__proto__" would change the prototype instead of adding a member.
      if (name === '__proto__') {
        Object.defineProperty(result, name, { value, writable: true, enumerable: true, configurable: true });
      } else {
        result[name] = value;
      }
      this.#skip(whitespace);
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail('expected "," or "}"');
    return result;
  }

  #array(depth: number): JsonValue[] {
    const result: JsonValue[] = [];
    this.#at += 1;
    this.#skip(whitespace);
    if (this.#take(']')) return result;
    do {
      this.#skip(whitespace);
      result.push(this.#value(depth + 1));
      this.#skip(whitespace);
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail('expected "," or "]"');
    return result;
  }

  #string(): string {
    const start = this.#at;
    // Most strings have no escape: a plain run up to the closing quote is the value itself. The pattern with
    // alternatives would also overflow the regular expression engine's stack on megabytes of text.
    plainRun.lastIndex = start + 1;
    plainRun.test(this.#text);
    if (this.#text[plainRun.lastIndex] === '"') {
      this.#at = plainRun.lastIndex + 1;
      return this.#text.slice(start + 1, plainRun.lastIndex);
    }
    const end = this.#endOfString(plainRun.lastIndex);
    this.#at = end;
    return JSON.parse(this.#text.slice(start, end)) as string;
  }

  #endOfString(from: number): number {
    let at = from;
    for (;;) {
      const character = this.#text[at];
      if (character === '"') return at + 1;
      if (character !== '\\') {
        this.#at = at;
        this.#fail(
          character === undefined
            ? 'a string is not closed'
            : 'a control character in a string must be escaped',
        );
      }
      const escape = this.#text[at + 1];
      if (escape === 'u' && /^[0-9a-fA-F]{4}$/.test(this.#text.slice(at + 2, at + 6))) at += 6;
      else if (escape !== undefined && '"\\/bfnrt'.includes(escape)) at += 2;
      else {
        this.#at = at;
        this.#fail('an unknown escape in a string');
      }
      plainRun.lastIndex = at;
      plainRun.test(this.#text);
      at = plainRun.lastIndex;
    }
  }

  #scalar(): JsonValue {
    for (const [word, value] of words) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    numberToken.lastIndex = this.#at;
    const match = numberToken.exec(this.#text);
    if (match === null) this.#fail('expected a value');
    this.#at = numberToken.lastIndex;
    const number = Number(match[0]);
    const isInteger = match[1] === undefined && match[2] === undefined;
    return isInteger && !Number.isSafeInteger(number) ? BigInt(match[0]) : number;
  }

  #skip(token: RegExp): void {
    token.lastIndex = this.#at;
    token.test(this.#text);
    this.#at = token.lastIndex;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #fail(what: string): never {
    const before = this.#text.slice(0, this.#at);
    const line = before.split('\n').length;
    const column = this.#at - before.lastIndexOf('\n');
    const excerpt = JSON.stringify(this.#text.slice(Math.max(0, this.#at - 20), this.#at + 20));
    throw new ArtError({
      code: 'ART_JSON_PARSE',
      message: `Not JSON at line ${line}, column ${column}: ${what}, near ${excerpt}.`,
    });
  }
}
