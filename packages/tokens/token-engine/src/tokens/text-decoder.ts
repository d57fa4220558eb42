import { Tokenizer } from '@huggingface/tokenizers';

/** Tables that turn token ids into text: the tokenizer without the half that encodes. */
export interface DecoderTables {
  /** The text of each token in the tokenizer's own alphabet, by id. */
  vocabulary: readonly (string | undefined)[];
  addedTokens: readonly AddedTokenTable[];
  /** `decoder` of `tokenizer.json`. */
  decoder: unknown;
}

export interface AddedTokenTable {
  id: number;
  content: string;
  special: boolean;
}

export interface DecodeOptions {
  /** Leave out special tokens such as `<|im_end|>`. @default false */
  skipSpecialTokens?: boolean | undefined;
}

/** Decodes with the library's own decoder, but from a table, so that the main thread needs no vocabulary of its own. */
export class TextDecoderOfTokens {
  readonly #tokenizer: Tokenizer;
  readonly #vocabulary: readonly (string | undefined)[];
  readonly #special: ReadonlySet<number>;

  constructor(tables: DecoderTables) {
    this.#tokenizer = new Tokenizer(
      {
        model: { type: 'BPE', vocab: {}, merges: [] },
        added_tokens: tables.addedTokens,
        decoder: tables.decoder,
        post_processor: null,
        pre_tokenizer: null,
        normalizer: null,
      },
      {},
    );
    (this.#tokenizer.model as { vocab: unknown } | null)!.vocab = tables.vocabulary;
    this.#vocabulary = tables.vocabulary;
    this.#special = new Set(tables.addedTokens.filter((token) => token.special).map((token) => token.id));
  }

  /** Ids that no token has are left out, as the reference tokenizer does it. Incomplete UTF-8 becomes U+FFFD. */
  decode(ids: ArrayLike<number>, options: DecodeOptions = {}): string {
    const known: number[] = [];
    for (let index = 0; index < ids.length; index += 1) {
      const id = ids[index] as number;
      if (this.#vocabulary[id] === undefined) continue;
      if (options.skipSpecialTokens === true && this.#special.has(id)) continue;
      known.push(id);
    }
    // "Cleaning up" would move blanks before punctuation: text that the model did not write.
    return known.length === 0 ? '' : this.#tokenizer.decode(known, { clean_up_tokenization_spaces: false });
  }
}
