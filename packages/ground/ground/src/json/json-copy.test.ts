import { expect, it } from 'vitest';
import { copyJson } from './json-copy.ts';
import { maxJsonDepth } from './json-value.ts';
import { parseJson } from './parse-json.ts';
import { stringifyJson } from './stringify-json.ts';

it('is written as it was copied, big integers and "__proto__" included, whatever becomes of the value', () => {
  const text = '{"a":[{"b":18446744073709551616}],"__proto__":{"c":null},"d":true,"n":1.5}';
  const value = parseJson(text) as { a: object[]; d: unknown };
  const copy = copyJson(value);
  value.a.push({});
  value.d = undefined;
  expect(stringifyJson({ payload: copy })).toBe(`{"payload":${text}}`);
});

it('writes numbers that JSON has not as text, and leaves undefined members out', () => {
  const copy = copyJson({ a: Number.NaN, b: [-Infinity], c: undefined });
  expect(stringifyJson(copy)).toBe('{"a":"NaN","b":["-Infinity"]}');
});

it('replaces texts once, at their place in the document', () => {
  const places: string[] = [];
  const copy = copyJson(
    { a: ['x'] },
    { path: ['payload'], mapText: (text, { path }) => (places.push(path.join('.')), `<${text}>`) },
  );
  expect(stringifyJson({ payload: copy }, { mapText: (text) => `(${text})` })).toBe(
    '{"(payload)":{"<a>":["<x>"]}}',
  );
  expect(places).toEqual(['payload.a.0', 'payload.a']);
});

it('gives a copy with one member', () => {
  const copy = copyJson({ a: 2n ** 64n, b: 1 });
  expect(stringifyJson(copy.only('a'))).toBe('{"a":18446744073709551616}');
  expect(stringifyJson(copy.only('c'))).toBe('{}');
  expect(stringifyJson(copyJson(null).only('a'))).toBe('{}');
});

it.each([
  [new Date(0)],
  [new Map()],
  [() => 1],
  [Symbol('s')],
  [[undefined]],
  [new Proxy({}, { getPrototypeOf: () => Date.prototype })],
])('refuses %s, which comes from no JSON', (value) => {
  expect(() => copyJson({ value })).toThrow(expect.objectContaining({ code: 'ART_JSON_WRITE' }));
});

it('counts the levels from the top of the document', () => {
  let value: object = {};
  for (let level = 1; level < maxJsonDepth; level += 1) value = { a: value };
  expect(() => copyJson(value)).not.toThrow();
  expect(() => copyJson(value, { path: ['payload'] })).toThrow('nested deeper');
});
