import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '@art/ground';

/** The parts of a tokenizer. */
export interface TokenizerParts {
  /** In the order of their ids. */
  tokens: readonly string[];
  special: readonly string[];
  end: string;
  merges: readonly (readonly [string, string])[];
  byteLevel: boolean;
  chatTemplate: string;
}

/** Writes `tokenizer.json` and `tokenizer_config.json` as the Hugging Face libraries read them. Ids are places in `tokens`, then in `special`. */
export async function writeTokenizer(folder: string, parts: TokenizerParts): Promise<void> {
  const { tokens, special, end, merges, byteLevel, chatTemplate } = parts;
  const all = [...tokens, ...special];
  const marks = special.map((content) => ({
    id: all.indexOf(content),
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false };
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: marks,
    normalizer: null,
    pre_tokenizer: byteLevel ? bytes : null,
    post_processor: null,
    decoder: byteLevel ? bytes : { type: 'Fuse' },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: byteLevel ? null : end,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(all.map((token, id) => [token, id])),
      merges,
    },
  };
  const config = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    eos_token: end,
    pad_token: end,
    chat_template: chatTemplate,
  };
  await makeDirectory(folder);
  await writeFile(join(folder, 'tokenizer.json'), `${JSON.stringify(tokenizer, null, 1)}\n`);
  await writeFile(join(folder, 'tokenizer_config.json'), `${JSON.stringify(config, null, 1)}\n`);
}
