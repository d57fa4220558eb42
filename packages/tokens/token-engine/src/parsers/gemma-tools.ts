import {
  JsonNumber,
  stringifyLossless,
  type LosslessJson,
  type LosslessObject,
} from '../tokens/lossless-json.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { taggedFormat } from './tagged-format.ts';
import type { ToolSchemas } from './tool-schemas.ts';

/**
 * `<|tool_call>call:name{key:<|"|>text<|"|>,other:[1,true]}<tool_call|>`: Gemma 4. Keys stand without quotes, texts between
 * their own tokens. Source: the format that SGLang 0.5.23 reads as `gemma4`.
 */
export const gemmaTools = taggedFormat({
  section: ['<|tool_call>', '<tool_call|>'],
  endOfInside,
  read: readCall,
});

const quote = '<|"|>';

const header = /^\s*call:([^\s{]+)\s*(?=\{)/;

function readCall(body: string, schemas: ToolSchemas): ParsedToolCall | undefined {
  const [head, name] = header.exec(body) ?? [];
  if (head === undefined || name === undefined) return undefined;
  const reader = new GemmaReader(body.slice(head.length), (key) => schemas.typesOf(name, key));
  const value = reader.readAll();
  return value instanceof Map ? { name, arguments: stringifyLossless(value) } : undefined;
}

function endOfInside(text: string, from: number): number {
  const inside = text.slice(from);
  const head = header.exec(inside)?.[0];
  if (head === undefined) return from;
  const reader = new GemmaReader(inside.slice(head.length), () => new Set());
  return from + head.length + reader.endOfFirst();
}

/** Reads one value. */
class GemmaReader {
  readonly #text: string;
  readonly #typesOf: (parameter: string) => ReadonlySet<string>;
  #at = 0;
  #depth = 0;

  constructor(text: string, typesOf: (parameter: string) => ReadonlySet<string>) {
    this.#text = text;
    this.#typesOf = typesOf;
  }

  /** Where the value ends that begins the text; 0 where there is none. */
  endOfFirst(): number {
    return this.#value(anyType) === undefined ? 0 : this.#at;
  }

  /** Undefined where the text is not one value from its beginning to its end. */
  readAll(): LosslessJson | undefined {
    const value = this.#value(anyType);
    this.#blanks();
    return this.#at === this.#text.length ? value : undefined;
  }

  #value(types: ReadonlySet<string>): LosslessJson | undefined {
    if (this.#take(quote)) return this.#upTo(quote);
    if (this.#take('{')) return this.#members();
    if (this.#take('[')) return this.#items();
    const word = /^[^,}\]]*/.exec(this.#text.slice(this.#at))![0];
    this.#at += word.length;
    return wordValue(word.trim(), types);
  }

  #members(): LosslessObject | undefined {
    const members: LosslessObject = new Map();
    this.#depth += 1;
    while (!this.#take('}')) {
      const key = this.#take(quote) ? this.#upTo(quote) : /^[^:{}[\],]*/.exec(this.#text.slice(this.#at))![0];
      if (key === undefined) return undefined;
      if (!this.#text.startsWith(':', this.#at)) this.#at += key.length;
      if (!this.#take(':')) return undefined;
      const value = this.#value(this.#depth === 1 ? this.#typesOf(key.trim()) : anyType);
      // A member that comes twice would lose a value.
      if (value === undefined || members.has(key.trim())) return undefined;
      members.set(key.trim(), value);
      if (!this.#take(',') && !this.#is('}')) return undefined;
    }
    this.#depth -= 1;
    return members;
  }

  #items(): LosslessJson[] | undefined {
    const items: LosslessJson[] = [];
    while (!this.#take(']')) {
      const item = this.#value(anyType);
      if (item === undefined) return undefined;
      items.push(item);
      if (!this.#take(',') && !this.#is(']')) return undefined;
    }
    return items;
  }

  #upTo(mark: string): string | undefined {
    const end = this.#text.indexOf(mark, this.#at);
    if (end < 0) return undefined;
    const text = this.#text.slice(this.#at, end);
    this.#at = end + mark.length;
    return text;
  }

  #take(mark: string): boolean {
    const isThere = this.#is(mark);
    if (isThere) this.#at += mark.length;
    return isThere;
  }

  #is(mark: string): boolean {
    this.#blanks();
    return this.#text.startsWith(mark, this.#at);
  }

  #blanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }
}

const anyType: ReadonlySet<string> = new Set();

/** A value without quotes, as the schema of its parameter wants it. Undefined for what is neither a text nor JSON, such as `02134`. */
function wordValue(word: string, types: ReadonlySet<string>): LosslessJson | undefined {
  if (word === '') return undefined;
  if (types.has('string')) return types.has('null') && word === 'null' ? null : word;
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null') return null;
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word)) return new JsonNumber(word);
  return /^[-+.]?\d[\d._]*(?:[eE][-+]?\d*)?$/.test(word) ? undefined : word;
}
