import {
  JsonNumber,
  stringifyLossless,
  type LosslessJson,
  type LosslessObject,
} from '../tokens/lossless-json.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { taggedFormat } from './tagged-format.ts';

/**
 * `<|tool_call>call:name{key:<|"|>text<|"|>,other:[1,true]}<tool_call|>`: Gemma 4. Keys stand without quotes, texts between
 * tokens of their own. Source: the format that SGLang 0.5.23 reads as `gemma4`.
 */
export const gemmaTools = taggedFormat({
  section: ['<|tool_call>', '<tool_call|>'],
  read: readCall,
});

const quote = '<|"|>';

function readCall(body: string): ParsedToolCall | undefined {
  const head = /^\s*call:([^\s{]+)\s*(?=\{)/.exec(body);
  if (head === null) return undefined;
  const reader = new GemmaReader(body.slice(head[0].length));
  const value = reader.readAll();
  return value instanceof Map ? { name: head[1]!, arguments: stringifyLossless(value) } : undefined;
}

/** Reads one value. */
class GemmaReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Undefined where the text is not one value from its beginning to its end. */
  readAll(): LosslessJson | undefined {
    const value = this.#value();
    this.#blanks();
    return this.#at === this.#text.length ? value : undefined;
  }

  #value(): LosslessJson | undefined {
    if (this.#take(quote)) return this.#upTo(quote);
    if (this.#take('{')) return this.#members();
    if (this.#take('[')) return this.#items();
    const word = /^[^,}\]]*/.exec(this.#text.slice(this.#at))![0];
    this.#at += word.length;
    return wordValue(word.trim());
  }

  #members(): LosslessObject | undefined {
    const members: LosslessObject = new Map();
    while (!this.#take('}')) {
      const key = this.#take(quote) ? this.#upTo(quote) : /^[^:{}[\],]*/.exec(this.#text.slice(this.#at))![0];
      if (key === undefined) return undefined;
      if (!this.#text.startsWith(':', this.#at)) this.#at += key.length;
      if (!this.#take(':')) return undefined;
      const value = this.#value();
      // A member that comes twice would lose a value.
      if (value === undefined || members.has(key.trim())) return undefined;
      members.set(key.trim(), value);
      if (!this.#take(',') && !this.#is('}')) return undefined;
    }
    return members;
  }

  #items(): LosslessJson[] | undefined {
    const items: LosslessJson[] = [];
    while (!this.#take(']')) {
      const item = this.#value();
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

function wordValue(word: string): LosslessJson | undefined {
  if (word === '') return undefined;
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null') return null;
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word) ? new JsonNumber(word) : word;
}
