import { ArtError } from '../errors/art-error.ts';
import { findStructureFault, hasEscapedName, type StrictNameRules } from './json-structure.ts';
import { maxJsonDepth, type JsonObject, type JsonValue, setOwnMember } from './json-value.ts';

// An integer literal of 16 digits or more may not fit a double. Digits after a point never need exactness:
// Python's floats routinely have 17 of them, and they must stay on the fast path.
const longInteger = /(?:^|[^.\d])\d{16,}(?![\d.eE])/;

export interface ParseJsonOptions {
  /**
   * For texts from strangers: refuses a name that occurs twice in an object (anywhere, or where the rules say), the name
   * `__proto__`, and `constructor` with a `prototype`. Readers that take the first of two members, or copy members
   * carelessly, are attacked with these.
   * @default false: the last of equal names counts, as in Python, and every name is data
   */
  strict?: boolean | StrictNameRules;
}

/**
 * Reads JSON as Python writes it: bare `NaN`, `Infinity`, `-Infinity`, and integers past 2^53, which become `bigint`.
 * Everything else is `JSON.parse`, which does the work wherever none of those occurs; but nesting ends at 1,000 levels.
 * @throws ArtError `ART_JSON_PARSE` with line and column.
 */
export function parseJson(text: string, { strict = false }: ParseJsonOptions = {}): JsonValue {
  const value = parsePlain(text) ?? new TolerantParser(text).parse();
  const fault = findStructureFault(text, strict);
  if (fault !== undefined) failAt(text, fault.at, fault.what, 'JSON refused');
  return value;
}

/** By `JSON.parse`. Undefined for Python's dialect and for what is no JSON: the parser below tells which, and where. */
function parsePlain(text: string): JsonValue | undefined {
  if (longInteger.test(text) || hasEscapedName(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

const numberToken = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const plainRun = /[^"\\\u0000-\u001f]*/y;
const whitespace = /[ \t\n\r]*/y;

// Python's own limit. Reading one takes time that grows faster than its length.
const maxIntegerDigits = 4_300;

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
    this.#enter(depth);
    this.#skip(whitespace);
    if (this.#take('}')) return result;
    do {
      this.#skip(whitespace);
      if (this.#text[this.#at] !== '"') this.#fail('expected a member name in double quotes');
      const name = this.#string();
      this.#skip(whitespace);
      if (!this.#take(':')) this.#fail('expected ":"');
      this.#skip(whitespace);
      setOwnMember(result, name, this.#value(depth + 1));
      this.#skip(whitespace);
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail('expected "," or "}"');
    return result;
  }

  #array(depth: number): JsonValue[] {
    const result: JsonValue[] = [];
    this.#enter(depth);
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

  #enter(depth: number): void {
    if (depth >= maxJsonDepth) this.#fail(`nested deeper than ${maxJsonDepth} levels`);
    this.#at += 1;
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
    if (isInteger && match[0].length > maxIntegerDigits) {
      this.#at -= match[0].length;
      this.#fail(`an integer of more than ${maxIntegerDigits} digits`);
    }
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
    return failAt(this.#text, this.#at, what);
  }
}

function failAt(text: string, at: number, what: string, verdict = 'Not JSON'): never {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  const excerpt = JSON.stringify(text.slice(Math.max(0, at - 20), at + 20));
  throw new ArtError({
    code: 'ART_JSON_PARSE',
    message: `${verdict} at line ${line}, column ${column}: ${what}, near ${excerpt}.`,
  });
}
