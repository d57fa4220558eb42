import { expect, it } from 'vitest';
import { jsonLine, jsonText, withoutDepths } from './json-text.ts';

function nested(levels: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}

it('writes what is nested deeper than any writer gets through, without its depths', () => {
  for (const write of [jsonLine, jsonText]) {
    const text = write({ top: 1, deep: nested(200_000) });
    expect(JSON.parse(text)).toMatchObject({ top: 1 });
    expect(text).toContain('nested too deep');
    expect(text).not.toContain('"deep"]');
  }
});

it('leaves all other values as they are', () => {
  const value = { a: [nested(150)], b: null };
  expect(withoutDepths(value)).toBe(value);
  expect(jsonLine(value)).toBe(JSON.stringify(value));
  expect(jsonText(undefined)).toBe('');
});
