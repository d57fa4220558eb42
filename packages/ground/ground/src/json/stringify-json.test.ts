import { describe, expect, it } from 'vitest';
import { parseJson } from './parse-json.ts';
import { stringifyJson } from './stringify-json.ts';

const cyclic: Record<string, unknown> = { name: 'loop' };
cyclic['self'] = { back: [cyclic] };

describe('stringifyJson', () => {
  it.each<[string, unknown, string]>([
    ['NaN', { rewards: [1, Number.NaN] }, '$.rewards[1]'],
    ['Infinity', { a: { 'b c': Infinity } }, '$.a["b c"]'],
    ['undefined at the top', undefined, '$:'],
    ['undefined in an array', { a: [undefined] }, '$.a[0]'],
    ['a function', { tool: function search() {} }, '$.tool: the function search'],
    ['a symbol', [Symbol('x')], '$[0]'],
    ['a cycle', cyclic, '$.self.back[0]'],
    ['a Map', { m: new Map([[1, 2]]) }, '$.m: a Map'],
    ['a Set', { s: new Set([1]) }, '$.s: a Set'],
    ['a typed array', { logprobs: new Float32Array(2) }, '$.logprobs'],
    ['a promise', { later: Promise.resolve(1) }, '$.later: a Promise'],
    ['an invalid date', { at: new Date(Number.NaN) }, '$.at: an invalid date'],
    ['a boxed NaN', { n: Object(Number.NaN) as unknown }, '$.n'],
    ['toJSON that gives NaN', { n: { toJSON: () => Number.NaN } }, '$.n'],
  ])('refuses %s with its path', (_, value, where) => {
    expect(() => stringifyJson(value)).toThrowError(
      expect.objectContaining({
        code: 'ART_JSON_WRITE',
        message: expect.stringContaining(where) as string,
      }) as Error,
    );
  });

  it('names where a cycle begins, also when it is not the outermost value', () => {
    const agent: Record<string, unknown> = { name: 'a' };
    agent['tools'] = [{ owner: agent }];
    const refusal = (value: unknown, copyOf?: object): string => {
      try {
        return stringifyJson(value, { copyOf });
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refusal(cyclic)).toMatch(/at \$\.self\.back\[0\]: it is \$ again/);
    expect(refusal({ state: { agent } })).toMatch(
      /at \$\.state\.agent\.tools\[0\]\.owner: it is \$\.state\.agent again/,
    );
    expect(refusal({ ...cyclic, more: 1 }, cyclic)).toMatch(/at \$\.self\.back\[0\]: it is \$ again/);
  });

  it('refuses nesting deeper than it can read back', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level += 1) deep = [deep];
    expect(() => stringifyJson(deep)).toThrowError(/deeper than 1000/);
  });

  it('writes an object that occurs twice without being a cycle', () => {
    const shared = { a: 1 };
    expect(stringifyJson({ left: shared, right: [shared, shared] })).toBe(
      '{"left":{"a":1},"right":[{"a":1},{"a":1}]}',
    );
  });

  it('leaves undefined members out and honours toJSON', () => {
    expect(stringifyJson({ a: undefined, at: new Date(0), b: { toJSON: () => [1] } })).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","b":[1]}',
    );
  });

  it('writes big integers exactly, and they come back', () => {
    const value = { id: 2n ** 64n, ids: [-(2n ** 70n)] };
    expect(stringifyJson(value)).toBe('{"id":18446744073709551616,"ids":[-1180591620717411303424]}');
    expect(parseJson(stringifyJson(value))).toEqual(value);
  });

  it('writes "__proto__" as an own member and no inherited ones', () => {
    const value = JSON.parse('{"__proto__":{"x":1}}') as object;
    expect(stringifyJson(value)).toBe('{"__proto__":{"x":1}}');
    expect(stringifyJson(Object.create({ inherited: 1 }))).toBe('{}');
  });

  it('escapes everything outside printable ASCII on request', () => {
    expect(stringifyJson('é\u007f中😀\ud800', { asciiOnly: true })).toBe(
      '"\\u00e9\\u007f\\u4e2d\\ud83d\\ude00\\ud800"',
    );
  });

  it('does not change what it writes', () => {
    const value = Object.freeze({ list: Object.freeze([1, Object.freeze({ a: 1n })]) });
    expect(stringifyJson(value)).toBe('{"list":[1,{"a":1}]}');
  });
});

it('writes numbers that JSON has not as null where somebody is told of them', () => {
  const told: unknown[] = [];
  const value = { reward: Number.NaN, rewards: [1, -Infinity], boxed: Object(Infinity) as unknown };
  const text = stringifyJson(value, { onNonFinite: (number, path) => told.push([number, path]) });
  expect(text).toBe('{"reward":null,"rewards":[1,null],"boxed":null}');
  expect(told).toEqual([
    [Number.NaN, '$.reward'],
    [-Infinity, '$.rewards[1]'],
    [Infinity, '$.boxed'],
  ]);
});

describe('mapText', () => {
  it('sees every text with its place, and only texts', () => {
    const seen: string[] = [];
    const value = { a: ['x', 1, true, null, 2n], b: { c: 'y' } };
    const text = stringifyJson(value, {
      mapText: (given, { kind, path }) => {
        seen.push(`${kind} ${path.join('.')} ${given}`);
        return given.toUpperCase();
      },
    });
    expect(text).toBe('{"A":["X",1,true,null,2],"B":{"C":"Y"}}');
    expect(seen).toEqual(['value a.0 x', 'name a a', 'value b.c y', 'name b.c c', 'name b b']);
    expect(value.a[0]).toBe('x');
  });

  it('may give the name "__proto__"', () => {
    expect(stringifyJson({ a: 1 }, { mapText: () => '__proto__' })).toBe('{"__proto__":1}');
  });
});
