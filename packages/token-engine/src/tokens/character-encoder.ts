import type { TokenEncoder } from './token-encoder.ts';
import type { DecodeOptions, DecoderTables, IdDecoder } from './text-decoder.ts';

const specialTokens = ['<|im_start|>', '<|im_end|>'];
const stop = 1;
const special = /(<\|im_start\|>|<\|im_end\|>)/;

/** The chat template that goes with it, in the manner of ChatML. */
export const characterTemplate = [
  '{%- if tools %}<|im_start|>tools\n{{ tools | tojson }}<|im_end|>\n{% endif %}',
  '{%- for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}',
  '{%- for call in message.tool_calls or [] %}\n<tool_call>\n',
  '{{ {"name": call.function.name, "arguments": call.function.arguments} | tojson }}\n</tool_call>{%- endfor %}',
  '<|im_end|>\n{% endfor %}',
  '{%- if add_generation_prompt %}<|im_start|>assistant\n{% endif %}',
].join('');

/**
 * A tokenizer without a model, for trying things out: each character is a token and has the same id everywhere, two
 * special tokens besides.
 */
export class CharacterEncoder implements TokenEncoder, IdDecoder {
  readonly stopTokenIds = [stop];
  readonly specialTokens = specialTokens;

  encode(text: string): Int32Array {
    const ids: number[] = [];
    for (const part of text.split(special)) {
      const id = specialTokens.indexOf(part);
      if (id >= 0) ids.push(id);
      else for (const character of part) ids.push(specialTokens.length + (character.codePointAt(0) ?? 0));
    }
    return Int32Array.from(ids);
  }

  decode(ids: ArrayLike<number>, options: DecodeOptions = {}): string {
    return Array.from(ids, (id) => {
      const token = specialTokens[id];
      if (token !== undefined) return options.skipSpecialTokens === true ? '' : token;
      const codePoint = id - specialTokens.length;
      return codePoint >= 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '';
    }).join('');
  }

  tables(): DecoderTables {
    return { vocabulary: [], addedTokens: [], decoder: null };
  }
}
