import { describe, expect, it } from 'vitest';
import { JsonMatchReward, type JsonMatchRewardOptions } from './json-match-reward.ts';

const expected = { name: 'Ada', address: { city: 'London', zip: 7 }, tags: ['a', 'b'] };

async function judge(response: unknown, options?: JsonMatchRewardOptions) {
  const remarks: string[] = [];
  const value = await new JsonMatchReward(options).compute(
    { response, expected },
    { remark: (text) => remarks.push(text) },
  );
  return { value, remarks: remarks.join() };
}

const positive = {
  '~standard': {
    version: 1 as const,
    vendor: 'test',
    validate: (value: unknown) =>
      (value as { name?: unknown }).name === '' ? { issues: [{ message: 'empty name' }] } : { value },
  },
};

describe('JsonMatchReward', () => {
  it.each([
    [expected, 1],
    [JSON.stringify(expected), 1],
    [`Sure:\n\`\`\`json\n${JSON.stringify(expected)}\n\`\`\`\nBye {`, 1],
    [`I say ${JSON.stringify(expected)}.`, 1],
    [{ ...expected, tags: ['b', 'a'] }, 2 / 3],
    [{ ...expected, address: { city: 'London' } }, 2 / 3],
    [{}, 0],
    ['no JSON', 0],
    [null, 0],
    ['{'.repeat(100_000), 0],
  ])('%j gets its share', async (response, value) => {
    expect((await judge(response)).value).toBeCloseTo(value, 12);
  });

  it('weighs fields by their paths', async () => {
    const weights = { 'address.city': 3, name: 1, 'tags.0': 0 };
    expect((await judge({ address: { city: 'London' } }, { weights })).value).toBe(0.75);
    const other = await judge({ name: 'Ada', address: { city: 'Paris' } }, { weights });
    expect(other.value).toBe(0.25);
    expect(other.remarks).toContain('address.city');
  });

  it('has a tolerance, and lists in any order', async () => {
    const near = { ...expected, address: { city: 'London', zip: 7.01 }, tags: ['b', 'a'] };
    expect((await judge(near, { tolerance: 0.1, ignoreOrder: true })).value).toBe(1);
  });

  it.each<[string, unknown, unknown, number, JsonMatchRewardOptions?]>([
    ['a list, not the last object in it', 'Answer: [{"id":1},{"id":2}]', [{ id: 1 }, { id: 2 }], 1],
    ['no object within a list', 'Answer: [{"id":1},{"id":2}]', { id: 2 }, 0],
    ['an object beside a placeholder', '{"name":"Ada"} where {name} is the placeholder', { name: 'Ada' }, 1],
    ['whole numbers past 2^53', '{"id":9007199254740993}', '{"id":9007199254740992}', 0],
    ['the same whole number past 2^53', '{"id":9007199254740993}', '{"id":9007199254740993}', 1],
    ['bigints', { id: 9007199254740993n }, { id: 9007199254740993n }, 1],
    ['bigints that differ', { id: 9007199254740993n }, { id: 9007199254740992n }, 0],
    ['bigints and texts', '{"id":9007199254740993}', { id: 9007199254740993n }, 1],
    ['a small bigint', { id: 5n }, { id: 5 }, 1],
    ['a double that is whole', '{"id":10000000000000000}', { id: 1e16 }, 1],
    ['a whole number in two spellings', '{"id":1e16}', '{"id":10000000000000000}', 1],
    ['the text of a transcript', '{"id":9007199254740993}', { id: '9007199254740993' }, 1],
    ['another text of a transcript', '{"id":9007199254740993}', { id: '9007199254740992' }, 0],
    ['numbers past all doubles', '{"id":1e400}', '{"id":1e500}', 0],
    ['further fields', { a: 1, more: 2 }, { a: 1 }, 1],
    ['further fields within', { a: { b: 1, more: 2 } }, { a: { b: 1 } }, 1],
    ['further fields in a list', { a: [{ b: 1, more: 2 }] }, { a: [{ b: 1 }] }, 1],
    ['a shorter list', { a: [1] }, { a: [1, 2] }, 0],
    ['inherited members', {}, { constructor: 1 }, 0],
    ['pairs in any order', { a: [1.1, 1] }, { a: [1, 1.2] }, 1, { tolerance: 0.1, ignoreOrder: true }],
    [
      'the best pairs, not the first',
      { a: [1.1, 0.95] },
      { a: [1.03, 1.2] },
      1,
      { tolerance: 0.1, ignoreOrder: true },
    ],
    ['no pair twice', { a: [1, 1] }, { a: [1, 2] }, 0, { ignoreOrder: true }],
    ['decimals within their tolerance', { a: 0.3 }, { a: 0.2 }, 1, { tolerance: 0.1 }],
    [
      'weights that are decimals',
      { a: 1, b: 1, c: 1 },
      { a: 1, b: 1, c: 1 },
      1,
      { weights: { a: 0.6, b: 0.3, c: 0.1 } },
    ],
    [
      'a share of decimals',
      { a: 1, b: 1, c: 0 },
      { a: 1, b: 1, c: 1 },
      0.3,
      { weights: { a: 0.1, b: 0.2, c: 0.7 } },
    ],
    ['a thought', '<think>{"a":1}</think> No.', { a: 1 }, 0],
  ])('judges %s', async (_, response, wanted, value, options) => {
    expect(await new JsonMatchReward(options).compute({ response, expected: wanted })).toBe(value);
  });

  it('refuses a path that is not expected', async () => {
    for (const path of ['adress.city', 'address.citty', 'tags.2', 'constructor'])
      await expect(
        new JsonMatchReward({ weights: { [path]: 1 } }).compute({ response: expected, expected }),
      ).rejects.toMatchObject({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining(path) as string,
      });
  });

  it('gives 0 to what does not fit the schema', async () => {
    const wrong = await judge({ ...expected, name: '' }, { schema: positive });
    expect(wrong).toEqual({ value: 0, remarks: 'The answer does not fit the schema: empty name' });
    expect((await judge(expected, { schema: positive })).value).toBe(1);
  });

  it('refuses weights and expectations that judge nothing', async () => {
    expect(() => new JsonMatchReward({ weights: { a: 0 } })).toThrow('above 0');
    expect(() => new JsonMatchReward({ weights: { a: -1 } })).toThrow('weights.a');
    await expect(new JsonMatchReward().compute({ response: {}, expected: undefined })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
  });
});
