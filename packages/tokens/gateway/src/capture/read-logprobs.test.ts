import { expect, it } from 'vitest';
import { JsonScanner } from '../json-bytes/json-scanner.ts';
import { readLogprobs } from './read-logprobs.ts';

function read(items: readonly string[], separator = ','): unknown {
  const scanner = new JsonScanner(Buffer.from(`{"content":[${items.join(separator)}],"refusal":null}`));
  const found = readLogprobs(scanner);
  scanner.finish();
  return found && { values: [...found.values], tokenIds: found.tokenIds && [...found.tokenIds] };
}

const items = [
  ['{"token":" the","logprob":-0.25,"bytes":[32,116,104,101],"top_logprobs":[]}', -0.25],
  ['{"token": "x", "logprob": -1}', -1],
  ['{"token":"x","logprob":-2,"rank":3}', -2],
  ['{"token":"x","logprob":-3,"top_logprobs":[{"token":"y","logprob":-4}]}', -3],
  ['{"token":"x","logprob":-Infinity}', Number.NEGATIVE_INFINITY],
  ['{"token":"x","logprob":null}', Number.NaN],
  ['{"logprob":-0.12345678901234567890123}', -0.12345678901234568],
  ['null', Number.NaN],
  ['{}', Number.NaN],
] as const;

it('reads a list whose items are spelled in many ways, in any order', () => {
  let state = 9;
  for (let round = 0; round < 200; round += 1) {
    const list = Array.from({ length: 30 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      // Mostly as engines spell them.
      return items[Math.max(0, ((state >>> 16) % (items.length * 3)) - items.length * 2)]!;
    });
    for (const separator of [',', ', ', ' ,\n']) {
      const texts = list.map(([text]) => text);
      expect(read(texts, separator)).toEqual({ values: list.map(([, value]) => value), tokenIds: undefined });
    }
  }
});

it('takes tokens that are spelled as ids for ids, if all are', () => {
  const named = (id: number): string =>
    `{"token":"token_id:${id}","logprob":-1,"bytes":null,"top_logprobs":[]}`;
  expect(read([named(7), named(151_643)])).toEqual({ values: [-1, -1], tokenIds: [7, 151_643] });
  expect(read([named(7), items[0][0]])).toEqual({ values: [-1, -0.25], tokenIds: undefined });
  expect(read([items[0][0], named(7)])).toEqual({ values: [-0.25, -1], tokenIds: undefined });
});

it.each([
  '{"token":"x","bytes":[1,],"logprob":-1}',
  '{"token":"x","bytes":[01],"logprob":-1}',
  '{"token":"x""logprob":-1}',
  '{"token":"x","logprob":-1,}',
  '{"token":"x,"logprob":-1',
  '{"token":"x","logprob":-1},',
])('refuses what is no JSON: %s', (text) => {
  expect(() => read([text])).toThrow(expect.objectContaining({ code: 'ART_JSON_PARSE' }) as Error);
  expect(() => read([items[0][0], text])).toThrow(
    expect.objectContaining({ code: 'ART_JSON_PARSE' }) as Error,
  );
});
