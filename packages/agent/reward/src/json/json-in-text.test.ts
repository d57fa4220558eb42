import { describe, expect, it } from 'vitest';
import { jsonInText, jsonValuesIn } from './json-in-text.ts';

const many = JSON.stringify({ items: Array.from({ length: 60 }, (_, id) => ({ id, list: [{}, []] })) });

describe('jsonInText', () => {
  it.each([
    ['[1,2]', [1, 2]],
    ['42', 42],
    ['Answer: [{"id":1},{"id":2}]', [{ id: 1 }, { id: 2 }]],
    ['{"name":"Ada"} where {name} is the placeholder', { name: 'Ada' }],
    [`Answer: ${many}.`, JSON.parse(many)],
    ['First {"a":1}, then {"a":2}.', { a: 2 }],
    ['```json\n{"a":1}\n```\nNot `{"a":2}`.', { a: 1 }],
    ['```json\n{"a":1}\n```\nIt is an object, for example {"a":2}', { a: 1 }],
    ['Like\n> {"a":2}\nbut: {"a":1} it is.', { a: 1 }],
    ['{"a":1}\n> {"a":2}', { a: 1 }],
    ['Only `{"a":1}`', { a: 1 }],
    ['{"a":1} and not "{"a":2}"', { a: 1 }],
    ['```json\n{"a":1}\n```\nFor example:\n```json\n{"a":2}\n```\n', { a: 1 }],
    ['For example:\n```json\n{"a":2}\n```\nSo:\n```json\n{"a":1}\n```', { a: 1 }],
    ['```json\n{"a":2}\n```\nNo:\n```json\n{"a":1}\n```', { a: 1 }],
    ['He said "{" and {"a":"}{"} then', { a: '}{' }],
    ['He said {"hello {"a":1}', { a: 1 }],
    ['{"a":1} and then {"b":[{"c":1},', { a: 1 }],
    ['cut: [{"a":1},{"b":2', { a: 1 }],
    [`${'{'.repeat(100_000)}{"a":1}`, { a: 1 }],
    [`${'['.repeat(5_000)}{"a":1}`, { a: 1 }],
    [`${'{"x":'.repeat(3_000)} {"a":1} ?`, { a: 1 }],
    [String.raw`{"a":"\"}"} {bad}`, { a: '"}' }],
    ['{"a":1,}', undefined],
    ['{a:1}', undefined],
    ['no', undefined],
    ['{"a":01}', undefined],
  ])('reads %.60s', (text, value) => {
    expect(jsonInText(text)?.value).toEqual(value);
  });

  it('takes steps in proportion to the text', () => {
    const patterns = ['{', '[', '{"', '"{', '{"a":', '[{"a":"', '{"{"', '[1,', '{"a":"{', '\\"{"', '[[1],'];
    for (const pattern of patterns) {
      const reads = (length: number): number => {
        let count = 0;
        const text = pattern.repeat(length);
        // A text that counts how often a character of it is looked at.
        const counted = new Proxy(new String(text), {
          get(target, key) {
            if (typeof key === 'string' && /^\d+$/.test(key)) count += 1;
            const value: unknown = Reflect.get(target, key, target);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
        jsonValuesIn(counted as unknown as string);
        return count;
      };
      expect(reads(2_000)).toBeLessThan(3 * reads(1_000) + 100);
    }
  });
});
