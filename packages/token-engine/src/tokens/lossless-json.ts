import { ArtError, maxJsonDepth } from '@art/protocol';

/** A JSON number as it was written: `1.0` is not `1` for a chat template, and 2^60 has no double. */
export class JsonNumber {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }

  /** Whether Python's `json.loads` would make an `int` of it. */
  get isInteger(): boolean {
    return !/[.eE]/.test(this.literal);
  }
}

/**
 * JSON without loss: numbers keep their spelling, and objects keep the order of their members also where a name looks
 * like an index, which a JavaScript object would move to the front.
 */
export type LosslessJson = null | boolean | string | JsonNumber | LosslessJson[] | LosslessObject;

export type LosslessObject = Map<string, LosslessJson>;

const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const plainRun = /[^"\\\u0000-\u001f]*/y;
const whitespace = /[ \t\n\r]*/y;

/**
 * Reads JSON text. Of a repeated member the last value counts, at the place of the first, as in Python.
 * @throws ArtError `ART_JSON_PARSE` with the offset
 */
export function parseLossless(text: string): LosslessJson {
  return new Reader(text).document();
}

/** Writes it back, numbers as they came, without blanks. */
export function stringifyLossless(value: LosslessJson): string {
  if (value instanceof JsonNumber) return value.literal;
  if (Array.isArray(value)) return `[${value.map(stringifyLossless).join(',')}]`;
  if (value instanceof Map) {
    const members = Array.from(
      value,
      ([name, member]) => `${JSON.stringify(name)}:${stringifyLossless(member)}`,
    );
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): LosslessJson {
    this.#skip(whitespace);
    const value = this.#value(0);
    this.#skip(whitespace);
    if (this.#at < this.#text.length) this.#fail('expected the end of the text');
    return value;
  }

  #value(depth: number): LosslessJson {
    if (depth > maxJsonDepth) this.#fail(`nested deeper than ${maxJsonDepth} levels`);
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #object(depth: number): LosslessObject {
    const members: LosslessObject = new Map();
    this.#at += 1;
    this.#skip(whitespace);
    if (this.#take('}')) return members;
    do {
      this.#skip(whitespace);
      if (this.#text[this.#at] !== '"') this.#fail('expected a member name in double quotes');
      const name = this.#string();
      this.#skip(whitespace);
      if (!this.#take(':')) this.#fail('expected ":"');
      this.#skip(whitespace);
      members.set(name, this.#value(depth + 1));
      this.#skip(whitespace);
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail('expected "," or "}"');
    return members;
  }

  #array(depth: number): LosslessJson[] {
    const items: LosslessJson[] = [];
    this.#at += 1;
    this.#skip(whitespace);
    if (this.#take(']')) return items;
    do {
      this.#skip(whitespace);
      items.push(this.#value(depth + 1));
      this.#skip(whitespace);
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail('expected "," or "]"');
    return items;
  }

  #string(): string {
    const start = this.#at;
    plainRun.lastIndex = start + 1;
    plainRun.test(this.#text);
    let at = plainRun.lastIndex;
    if (this.#text[at] === '"') {
      this.#at = at + 1;
      return this.#text.slice(start + 1, at);
    }
    while (this.#text[at] === '\\') {
      plainRun.lastIndex = at + 2;
      plainRun.test(this.#text);
      at = plainRun.lastIndex;
    }
    if (this.#text[at] !== '"') this.#fail('a string is not closed');
    this.#at = at + 1;
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string;
    } catch {
      this.#at = start;
      return this.#fail('an unknown escape in a string');
    }
  }

  #word<T extends boolean | null>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail('expected a value');
    this.#at += word.length;
    return value;
  }

  #number(): JsonNumber {
    numberToken.lastIndex = this.#at;
    const match = numberToken.exec(this.#text);
    if (match === null) this.#fail('expected a value');
    this.#at = numberToken.lastIndex;
    return new JsonNumber(match[0]);
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
    const excerpt = JSON.stringify(this.#text.slice(Math.max(0, this.#at - 20), this.#at + 20));
    throw new ArtError({
      code: 'ART_JSON_PARSE',
      message: `Not JSON at character ${this.#at}: ${what}, near ${excerpt}.`,
    });
  }
}
