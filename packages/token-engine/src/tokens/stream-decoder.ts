import type { DecodeOptions, TextDecoderOfTokens } from './text-decoder.ts';

const replacement = '\uFFFD';

/**
 * Decodes tokens as they come, without ever giving out half a character: bytes that do not end a character wait for the
 * next token. The texts given out add up to what decoding all ids at once gives.
 */
export class StreamDecoder {
  readonly #decoder: TextDecoderOfTokens;
  readonly #options: DecodeOptions;
  // Decoders look at neighbours (a leading blank is dropped at the start of a text), so a few tokens whose text is
  // out already are decoded again in front of the new ones.
  #window: number[] = [];
  #givenOut = '';

  constructor(decoder: TextDecoderOfTokens, options: DecodeOptions = {}) {
    this.#decoder = decoder;
    this.#options = options;
  }

  /** The text that has become certain with these ids; it may be empty. */
  push(ids: ArrayLike<number>): string {
    const before = this.#window.length;
    for (let index = 0; index < ids.length; index += 1) this.#window.push(ids[index] as number);
    const text = this.#decoder.decode(this.#window, this.#options);
    if (text.endsWith(replacement) || text.length < this.#givenOut.length) return '';
    const fresh = text.slice(this.#givenOut.length);
    this.#window = this.#window.slice(Math.min(before, this.#window.length - 1));
    this.#givenOut = this.#decoder.decode(this.#window, this.#options);
    return fresh;
  }

  /** What was still held back, incomplete characters as U+FFFD. */
  finish(): string {
    const text = this.#decoder.decode(this.#window, this.#options);
    const rest = text.slice(this.#givenOut.length);
    this.#window = [];
    this.#givenOut = '';
    return rest;
  }
}
