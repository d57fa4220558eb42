import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RawJson } from './raw-json.ts';

function members(text: string): { name: string; text: string }[] {
  const json = new RawJson(text);
  return json.members(json.start).map(({ name, start, end }) => ({ name, text: text.slice(start, end) }));
}

function elements(text: string): string[] {
  const json = new RawJson(text);
  return json.elements(json.start).map((start) => text.slice(start, json.endOf(start)));
}

const spacing = fc.constantFrom(0, 1, 2, '\t', '\n');

describe('RawJson', () => {
  it('cuts any object into its members, and any array into its elements', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), spacing, (value, name, space) => {
        const object = Object.fromEntries([
          [name, value],
          ['b\\"]}', [value, name]],
        ]);
        const cut = members(JSON.stringify(object, undefined, space));
        expect(
          Object.fromEntries(cut.map((member) => [member.name, JSON.parse(member.text) as unknown])),
        ).toEqual(JSON.parse(JSON.stringify(object)));
        const list = [value, name, value];
        expect(
          elements(JSON.stringify(list, undefined, space)).map((text) => JSON.parse(text) as unknown),
        ).toEqual(JSON.parse(JSON.stringify(list)));
      }),
      { numRuns: 50 },
    );
  });

  it('keeps duplicates and the spelling of values', () => {
    expect(members(' { "a" : 1.0 , "\\u0061":-1E+2,"b":[ ],"c":"\\\\" }')).toEqual([
      { name: 'a', text: '1.0' },
      { name: 'a', text: '-1E+2' },
      { name: 'b', text: '[ ]' },
      { name: 'c', text: '"\\\\"' },
    ]);
    expect(members('{ }')).toEqual([]);
    expect(elements(' [ ] ')).toEqual([]);
    expect(elements('[1 , "],[" ,\n{"a":"}"}]')).toEqual(['1', '"],["', '{"a":"}"}']);
  });

  it('takes any depth', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(elements(`[${deep},1]`)).toEqual([deep, '1']);
  });
});
