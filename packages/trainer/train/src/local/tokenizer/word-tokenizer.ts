import { writeTokenizer } from './write-tokenizer.ts';

/** The settings of a policy for the tokenizer that `writeWordTokenizer` writes. */
export interface WordTokenizer {
  vocabularySize: number;
  /** Ends an answer. */
  endToken: number;
}

/**
 * A tokenizer of a few words, for a task that uses no others: a token for each word of two letters, for each letter and for four marks. A
 * word can be written as one token or as two, as with large models.
 */
export async function writeWordTokenizer(folder: string, words: readonly string[]): Promise<WordTokenizer> {
  const letters = [...new Set(words.join(''))].toSorted();
  const tokens = [...letters, ...words];
  const end = '<|end|>';
  const special = ['<|user|>', '<|assistant|>', '<|tool|>', end];
  await writeTokenizer(folder, {
    tokens,
    special,
    end,
    merges: words.map((word) => [word[0]!, word[1]!]),
    byteLevel: false,
    chatTemplate:
      '{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
  });
  const size = tokens.length + special.length;
  return { vocabularySize: size, endToken: size - 1 };
}
