import { describe, expect, it } from 'vitest';
import { JsonScanner } from '../json/json-scanner.ts';
import { readLogprobs } from './read-logprobs.ts';
import { readPlainLogprob } from './read-plain-logprob.ts';

function read(text: string): { logprob: number | undefined; at: number } {
  // Something stands before the item and behind it, as in a reply.
  const scanner = new JsonScanner(Buffer.from(`[${text},`), 1);
  return { logprob: readPlainLogprob(scanner), at: scanner.at - 1 };
}

const plain = [
  ['vLLM', '{"token":" the","logprob":-0.25,"bytes":[32,116,104,101],"top_logprobs":[]}', -0.25],
  ['SGLang', '{"token":"x","bytes":[120],"logprob":-1.5e-05,"top_logprobs":[]}', -1.5e-5],
  ['no bytes', '{"token":"x","logprob":-2,"bytes":null}', -2],
  ['an empty list', '{"token":"","logprob":0,"bytes":[],"top_logprobs":[]}', 0],
  ['escapes', '{"token":"\\"\\\\\\n\\u00e4","logprob":-3.5,"bytes":[0,10,255]}', -3.5],
  ['a quote and a brace within', '{"token":"\\"}","logprob":-3.5}', -3.5],
  ['bytes of a rune', '{"token":"😀","logprob":-0.125,"bytes":[240,159,152,128]}', -0.125],
  ['null', '{"token":"x","logprob":null}', Number.NaN],
  ['-inf as Python writes it', '{"token":"x","logprob":-Infinity}', Number.NEGATIVE_INFINITY],
  ['no logprob', '{"token":"x"}', Number.NaN],
] as const;

const otherwise = [
  ['white space', '{"token": "x", "logprob": -1}'],
  ['an unknown member', '{"token":"x","logprob":-1,"rank":3}'],
  ['other candidates', '{"token":"x","logprob":-1,"top_logprobs":[{"token":"y","logprob":-2}]}'],
  ['a token that is an id', '{"token":"token_id:17","logprob":-1}'],
  ['a token that is no text', '{"token":null,"logprob":-1}'],
  ['bytes that are no plain numbers', '{"token":"x","bytes":[1.5],"logprob":-1}'],
  ['a nested list', '{"token":"x","bytes":[[1]],"logprob":-1}'],
  ['no object', '-1'],
  ['null', 'null'],
  ['an empty object', '{}'],
] as const;

describe('readPlainLogprob', () => {
  it.each(plain)('reads what engines write: %s', (_name, text, logprob) => {
    expect(read(text)).toEqual({ logprob, at: Buffer.byteLength(text) });
  });

  it.each(otherwise)('leaves what is spelled otherwise where it is: %s', (_name, text) => {
    expect(read(text)).toEqual({ logprob: undefined, at: 0 });
  });

  it.each([
    '{"token":"x","bytes":[1,],"logprob":-1}',
    '{"token":"x","bytes":[,1],"logprob":-1}',
    '{"token":"x","bytes":[01],"logprob":-1}',
    '{"token":"x","bytes":[1,"logprob":-1}',
    '{"token":"x""logprob":-1}',
    '{"token":"x","logprob":-1,}',
    '{"token":"x,"logprob":-1',
  ])('leaves it to the others to refuse %s', (text) => {
    expect(read(text)).toEqual({ logprob: undefined, at: 0 });
    const scanner = new JsonScanner(Buffer.from(`{"content":[${text}]}`));
    expect(() => readLogprobs(scanner)).toThrow(expect.objectContaining({ code: 'ART_JSON_PARSE' }) as Error);
  });

  it('does not read beyond the end of its document', () => {
    const text = '{"token":"x","logprob":-1}';
    for (let end = 1; end <= text.length; end += 1) {
      const scanner = new JsonScanner(Buffer.from(text), 0, end);
      let logprob: number | undefined;
      try {
        logprob = readPlainLogprob(scanner);
      } catch {
        // A number that breaks off.
      }
      expect(logprob).toBe(end === text.length ? -1 : undefined);
    }
  });

  it.each([...plain, ...otherwise].map(([, text]) => text))(
    'says the same as reading member by member: %s',
    (text) => {
      const values = (content: string): number[] | undefined => {
        const found = readLogprobs(new JsonScanner(Buffer.from(`{"content":[${content}]}`)));
        return found && [...found.values, ...(found.tokenIds ?? [])];
      };
      // White space within an item makes it one that is not plain.
      const spaced = text.replace(/^\{/, '{ ');
      expect(values(text)).toEqual(values(spaced));
      expect(values(`${text},${spaced},${text}`)).toEqual(values(`${spaced},${spaced},${spaced}`));
    },
  );
});
