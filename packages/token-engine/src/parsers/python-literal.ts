import {
  JsonNumber,
  stringifyLossless,
  type LosslessJson,
  type LosslessObject,
} from '../tokens/lossless-json.ts';
import { tryLossless } from './json-call.ts';
import type { ParsedToolCall } from './parsed-turn.ts';

function parsePythonLiteral(text: string): LosslessJson | undefined {
  return attempt(text, (reader) => {
    const value = reader.value();
    reader.end();
    return value;
  });
}

/** JSON, or what models trained on Python write for it. Undefined where the text is neither. */
export function tryLiteral(text: string): LosslessJson | undefined {
  return tryLossless(text) ?? parsePythonLiteral(text);
}

/** `[f(a=1), g()]` at the beginning of a text, and where it ends; undefined where it begins with nothing of the kind. */
export function readPythonCalls(text: string): { calls: ParsedToolCall[]; end: number } | undefined {
  return attempt(text, (reader) => ({ calls: reader.calls(), end: reader.at }));
}

class NotPython extends Error {}

function attempt<T>(text: string, read: (reader: PythonReader) => T): T | undefined {
  try {
    return read(new PythonReader(text));
  } catch (error) {
    if (error instanceof NotPython) return undefined;
    throw error;
  }
}

const space = /[ \t\r\n]*/y;
const name = /[A-Za-z_][\w.-]*/y;
const number = /[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const plain = /[^\\'"\n]+/y;
const maxDepth = 200;
const words: Readonly<Record<string, LosslessJson>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\u0007',
  '0': '\0',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};

class PythonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw new NotPython();
  }

  get at(): number {
    return this.#at;
  }

  calls(): ParsedToolCall[] {
    this.#skip();
    if (!this.#take('[')) throw new NotPython();
    return this.#list(']', () => this.#call());
  }

  value(depth = 0): LosslessJson {
    if (depth > maxDepth) throw new NotPython();
    this.#skip();
    if (this.#take('[')) return this.#list(']', () => this.value(depth + 1));
    if (this.#take('(')) return this.#list(')', () => this.value(depth + 1));
    if (this.#take('{')) return this.#dictionary(depth);
    const character = this.#text[this.#at];
    if (character === "'" || character === '"') return this.#strings();
    const word = this.#match(name);
    if (word !== undefined) {
      const value = words[word];
      if (value === undefined) throw new NotPython();
      return value;
    }
    return this.#number();
  }

  #call(): ParsedToolCall {
    this.#skip();
    const called = this.#match(name);
    if (called === undefined || !this.#take('(')) throw new NotPython();
    const members: LosslessObject = new Map();
    this.#list(')', () => {
      this.#skip();
      const parameter = this.#match(name);
      this.#skip();
      if (parameter === undefined || !this.#take('=')) throw new NotPython();
      members.set(parameter, this.value());
    });
    return { name: called, arguments: stringifyLossless(members) };
  }

  #dictionary(depth: number): LosslessObject {
    const members: LosslessObject = new Map();
    this.#list('}', () => {
      const key = this.value(depth + 1);
      this.#skip();
      if (!this.#take(':')) throw new NotPython();
      members.set(typeof key === 'string' ? key : stringifyLossless(key), this.value(depth + 1));
    });
    return members;
  }

  #list<T>(close: string, item: () => T): T[] {
    const items: T[] = [];
    for (;;) {
      this.#skip();
      if (this.#take(close)) return items;
      items.push(item());
      this.#skip();
      if (!this.#take(',')) {
        if (!this.#take(close)) throw new NotPython();
        return items;
      }
    }
  }

  // Adjacent strings are one.
  #strings(): string {
    let text = '';
    while (this.#text[this.#at] === "'" || this.#text[this.#at] === '"') {
      text += this.#string();
      this.#skip();
    }
    return text;
  }

  #string(): string {
    const single = this.#text[this.#at] as string;
    const triple = single.repeat(3);
    const quote = this.#text.startsWith(triple, this.#at) ? triple : single;
    this.#at += quote.length;
    let text = '';
    for (;;) {
      if (this.#text.startsWith(quote, this.#at)) {
        this.#at += quote.length;
        return text;
      }
      const run = this.#match(plain);
      if (run !== undefined) {
        text += run;
        continue;
      }
      const character = this.#text[this.#at];
      if (character === undefined || (character === '\n' && quote.length === 1)) throw new NotPython();
      this.#at += 1;
      text += character === '\\' ? this.#escape() : character;
    }
  }

  #escape(): string {
    const letter = this.#text[this.#at];
    this.#at += 1;
    const digits = letter === 'x' ? 2 : letter === 'u' ? 4 : letter === 'U' ? 8 : 0;
    if (digits > 0) {
      const code = this.#text.slice(this.#at, this.#at + digits);
      if (!/^[0-9a-fA-F]+$/.test(code) || code.length < digits) throw new NotPython();
      this.#at += digits;
      const point = Number.parseInt(code, 16);
      if (point > 0x10ffff) throw new NotPython();
      return String.fromCodePoint(point);
    }
    if (letter === undefined) throw new NotPython();
    return escapes[letter] ?? `\\${letter}`;
  }

  #number(): JsonNumber {
    const text = this.#match(number)?.replaceAll('_', '');
    if (text === undefined) throw new NotPython();
    // 1. and .5 and +1 are Python, but not JSON.
    const literal = text
      .replace(/^\+/, '')
      .replace(/^(-?)\./, '$10.')
      .replace(/\.(?=$|[eE])/, '.0');
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(literal)) throw new NotPython();
    // To Python it is infinite, which is no JSON.
    if (/[.eE]/.test(literal) && !Number.isFinite(Number(literal))) throw new NotPython();
    return new JsonNumber(literal);
  }

  #match(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    const match = token.exec(this.#text);
    if (match === null) return undefined;
    this.#at = token.lastIndex;
    return match[0];
  }

  #skip(): void {
    this.#match(space);
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}
