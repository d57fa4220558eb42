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
