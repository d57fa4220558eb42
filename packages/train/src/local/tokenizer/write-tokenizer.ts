import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '@art/protocol';

export interface WrittenTokenizer {
  /** How many tokens there are: `vocabularySize` of the policy. */
  size: number;
  /** The token that ends a turn: `endToken` of the policy. */
  endToken: number;
}

/** What a tokenizer is made of; `config` is that of transformers. */
interface TokenizerParts {
  /** In the order of their ids. */
  tokens: readonly string[];
  special: readonly string[];
  end: string;
  merges: readonly (readonly [string, string])[];
  byteLevel: boolean;
  chatTemplate: string;
}

/**
 * A tokenizer of a few words, for a task that uses no others: a token for each word of two letters, for each letter and for four marks. A
 * word can be written as one token or as two, as with large models.
 */
export async function writeWordTokenizer(
  folder: string,
  words: readonly string[],
): Promise<WrittenTokenizer> {
  const letters = [...new Set(words.join(''))].toSorted();
  return await writeTokenizer(folder, {
    tokens: [...letters, ...words],
    special: ['<|user|>', '<|assistant|>', '<|tool|>', '<|end|>'],
    end: '<|end|>',
    merges: words.map((word) => [word[0]!, word[1]!]),
    byteLevel: false,
    chatTemplate:
      '{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
  });
}

/** A tokenizer for any text, a token for each byte, with the chat template and the tool calls of Qwen (`toolCallParser: 'qwen'`). */
export async function writeByteTokenizer(folder: string): Promise<WrittenTokenizer> {
  return await writeTokenizer(folder, {
    tokens: byteLetters(),
    special: ['<|im_start|>', '<|im_end|>'],
    end: '<|im_end|>',
    merges: [],
    byteLevel: true,
    chatTemplate: [
      '{%- if tools %}<|im_start|>system\n{{ tools | tojson }}<|im_end|>\n{% endif %}',
      '{%- for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content or "" }}',
      '{%- for call in message.tool_calls or [] %}\n<tool_call>\n',
      '{{ {"name": call.function.name, "arguments": call.function.arguments} | tojson }}\n</tool_call>{%- endfor %}',
      '<|im_end|>\n{% endfor %}{%- if add_generation_prompt %}<|im_start|>assistant\n{% endif %}',
    ].join(''),
  });
}

async function writeTokenizer(folder: string, parts: TokenizerParts): Promise<WrittenTokenizer> {
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
  return { size: all.length, endToken: all.indexOf(end) };
}

/** A printable letter for each byte, as GPT-2 has them: most bytes for themselves, the others from U+0100 on. */
function byteLetters(): string[] {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    return String.fromCodePoint(isPrintable ? byte : next++);
  });
}
