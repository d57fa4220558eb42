import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseLossless, stringifyLossless } from './lossless-json.ts';

it.each([
  '{"b":1.0,"1":1e-7,"a":[1152921504606846976,-0,-0.0,1E+400],"":null}',
  '"\\ud83d\\ude00 \\u0000 \\" \\\\ \\/"',
  '{"__proto__":{"constructor":1}}',
])('keeps %s', (text) => {
  const again = stringifyLossless(parseLossless(text));
  expect(JSON.parse(again)).toEqual(JSON.parse(text));
  expect(again.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')).toBe(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, ''));
});

it('of repeated members the last counts, at the first one’s place', () => {
  expect(stringifyLossless(parseLossless('{"a":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}');
});

it('reads what JSON.parse reads, and refuses what it refuses', () => {
  const attempt = (read: () => unknown): unknown => {
    try {
      return read();
    } catch {
      return 'refused';
    }
  };
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.json().map((text) => text.slice(1)),
        fc.string(),
      ),
      (text) => {
        const expected = attempt(() => JSON.stringify(JSON.parse(text)));
        expect(attempt(() => JSON.stringify(JSON.parse(stringifyLossless(parseLossless(text)))))).toEqual(
          expected,
        );
      },
    ),
  );
});

describe('refuses', () => {
  it.each([
    '',
    '{',
    '[1,]',
    '{"a" 1}',
    '01',
    '+1',
    '1.',
    'nul',
    '"\n"',
    '"\\x"',
    '"abc',
    '[1] 2',
    'NaN',
    '['.repeat(2_000),
  ])('%s', (text) => {
    expect(() => parseLossless(text)).toThrow(expect.objectContaining({ code: 'ART_JSON_PARSE' }));
  });
});
