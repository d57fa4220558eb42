import { writeTokenizer } from './write-tokenizer.ts';

const marks = ['<|end|>', '<|system|>', '<|user|>', '<|assistant|>', '<|tool|>'] as const;
const bytes = 256;

/** The settings of a policy for the tokenizer that `writeByteTokenizer` writes. */
export const byteTokenizer = {
  vocabularySize: bytes + marks.length,
  /** Ends an answer. */
  endToken: bytes,
  /** The bytes of each token; marks have none. */
  tokenBytes: Array.from({ length: bytes + marks.length }, (_, token) =>
    Uint8Array.from(token < bytes ? [token] : []),
  ),
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
  await writeTokenizer(folder, {
    tokens: byteTexts(),
    special: marks,
    end: marks[0],
    merges: [],
    byteLevel: true,
    chatTemplate: template,
  });
}

/** How byte-level tokenizers spell each byte: itself where it can be printed, else the next free character from 256 on. */
function byteTexts(): string[] {
  let next = 256;
  return Array.from({ length: bytes }, (_, byte) => String.fromCharCode(isPrinted(byte) ? byte : next++));
}

function isPrinted(byte: number): boolean {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}
