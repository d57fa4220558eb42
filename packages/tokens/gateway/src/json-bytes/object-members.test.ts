import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectMembers, setMembers } from './object-members.ts';

function set(text: string, values: Record<string, string>): string {
  const bytes = Buffer.from(text);
  const object = objectMembers(bytes);
  if (object === undefined) throw new Error(`${text} is no object`);
  return setMembers(bytes, object, new Map(Object.entries(values))).toString();
}

describe('setMembers', () => {
  it.each([
    ['{}', { a: '1' }, '{"a":1}'],
    [' { } ', { a: '1', b: '2' }, ' { "a":1,"b":2} '],
    ['{"a": 1.0 , "b":2}', { b: '3', c: '4' }, '{"a": 1.0 , "b":3,"c":4}'],
    ['{"a":1,"b":2,"a":3}', { a: 'true' }, '{"a":true,"b":2,"a":true}'],
    ['{"a":1, "\\u0061":2}', { a: '9' }, '{"a":9, "\\u0061":9}'],
    ['{"n":1152921504606846976}\n', { m: '"x"' }, '{"n":1152921504606846976,"m":"x"}\n'],
  ])('of %s', (text, values, expected) => {
    expect(set(text, values)).toBe(expected);
  });

  it('gives the same object back where nothing changes', () => {
    const bytes = Buffer.from('{"a": true}');
    const object = objectMembers(bytes);
    expect(object).toBeDefined();
    if (object === undefined) return;
    expect(setMembers(bytes, object, new Map([['a', 'true']]))).toBe(bytes);
    expect(setMembers(bytes, object, new Map())).toBe(bytes);
  });

  it('equals assignment on the parsed object', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
    fc.assert(
      fc.property(json, fc.constantFrom(0, 1), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const result = JSON.parse(set(text, { logprobs: 'true' })) as unknown;
        const parsed = JSON.parse(text) as Record<string, unknown>;
        expect(result).toEqual({ ...parsed, logprobs: true });
      }),
    );
  });
});
