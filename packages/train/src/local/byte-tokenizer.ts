import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '@art/protocol';

const marks = ['<|end|>', '<|system|>', '<|user|>', '<|assistant|>', '<|tool|>'] as const;
const bytes = 256;

/** What a policy has to know of the tokenizer that `writeByteTokenizer` writes. */
export const byteTokenizer = {
  vocabularySize: bytes + marks.length,
  /** Ends an answer. */
  endToken: bytes,
  /** The text of tokens; marks have none. */
  textOf: (tokens: readonly number[]): string =>
    Buffer.from(tokens.filter((token) => token < bytes)).toString('utf8'),
} as const;

// Qwen's way with tools: what is offered stands in the system message, calls and results are marked.
const template = `{%- if tools %}<|system|># Tools
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|end|>{%- endif %}
{%- for message in messages %}<|{{ 'system' if message.role == 'developer' else message.role }}|>{{ message.content or '' }}
{%- for call in message.tool_calls or [] %}<tool_call>
{{ call.function | tojson }}
</tool_call>{%- endfor %}<|end|>{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{%- endif %}`;

/** Writes a tokenizer with a token for each byte, and a chat template, into a folder: for policies that know no language. */
export async function writeByteTokenizer(folder: string): Promise<void> {
  const texts = byteTexts();
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: marks.map((content, at) => ({
      id: bytes + at,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(texts.map((text, byte) => [text, byte])),
      merges: [],
    },
  };
  const config = { tokenizer_class: 'PreTrainedTokenizerFast', eos_token: marks[0], chat_template: template };
  await makeDirectory(folder);
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  await writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify(config));
}

/** How byte-level tokenizers spell each byte: itself where it can be printed, else the next free character from 256 on. */
function byteTexts(): string[] {
  let next = 256;
  return Array.from({ length: bytes }, (_, byte) => String.fromCharCode(isPrinted(byte) ? byte : next++));
}

function isPrinted(byte: number): boolean {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}
