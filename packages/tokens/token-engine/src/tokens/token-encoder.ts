import { ArtError, describeThrown } from '@art/ground';
import { Tokenizer } from '@huggingface/tokenizers';

import type { ModelCheckpoint } from './checkpoint.ts';
import type { DecoderTables } from './text-decoder.ts';

/** Turns text into token ids; lives where rendering happens. */
export class TokenEncoder {
  readonly #tokenizer: Tokenizer;
  /** Tables for decoding, to be carried to another thread. */
  readonly tables: DecoderTables;
  /** Ids of the tokens that end a turn. */
  readonly stopTokenIds: readonly number[];
  /** The texts of the special tokens. */
  readonly specialTokens: readonly string[];

  /** @throws ArtError `ART_TOKENIZER_UNREADABLE` where the tokenizer uses something the library does not know */
  constructor(checkpoint: ModelCheckpoint) {
    const tokenizer = openTokenizer(checkpoint);
    this.#tokenizer = tokenizer;
    const addedTokens = Array.from(tokenizer.get_added_tokens_decoder(), ([id, token]) => ({
      id,
      content: token.content,
      special: token.special,
    }));
    this.tables = {
      vocabulary: vocabularyOf(tokenizer),
      addedTokens,
      decoder: checkpoint.tokenizer['decoder'] ?? null,
    };
    const stops = checkpoint.stopTokens.map((stop) =>
      typeof stop === 'number' ? stop : tokenizer.token_to_id(stop),
    );
    this.stopTokenIds = [...new Set(stops)].filter((id) => id !== undefined);
    this.specialTokens = addedTokens.filter((token) => token.special).map((token) => token.content);
  }

  /** Special tokens written out in the text become their ids; none is added. */
  encode(text: string): Int32Array {
    return Int32Array.from(this.#tokenizer.encode(text, { add_special_tokens: false }).ids);
  }
}

function openTokenizer(checkpoint: ModelCheckpoint): Tokenizer {
  try {
    return new Tokenizer(checkpoint.tokenizer, checkpoint.config);
  } catch (cause) {
    throw new ArtError({
      code: 'ART_TOKENIZER_UNREADABLE',
      message: `The tokenizer.json of ${checkpoint.directory} cannot be used: ${
        describeThrown(cause).message
      }. Let the engine tokenize instead.`,
      cause,
    });
  }
}

function vocabularyOf(tokenizer: Tokenizer): (string | undefined)[] {
  const vocabulary: (string | undefined)[] = [];
  for (const [token, id] of tokenizer.get_vocab()) vocabulary[id] = token;
  return vocabulary;
}
