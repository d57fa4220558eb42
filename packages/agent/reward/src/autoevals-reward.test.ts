import { ExactMatch, Levenshtein } from 'autoevals';
import { describe, expect, it } from 'vitest';
import { AutoevalsReward } from './autoevals-reward.ts';
import { SelectReward } from './select-reward.ts';

describe('AutoevalsReward', () => {
  it('is a scorer of autoevals, also over something else', async () => {
    const exact = new AutoevalsReward(ExactMatch);
    expect(await exact.compute({ output: 'a', expected: 'a' })).toBe(1);
    expect(await exact.compute({ output: 'a', expected: 'b' })).toBe(0);
    const near = new SelectReward(
      new AutoevalsReward(Levenshtein),
      (sample: { said: string; wanted: string }) => ({
        output: sample.said,
        expected: sample.wanted,
      }),
    );
    expect(await near.compute({ said: 'abcd', wanted: 'abcx' })).toBe(0.75);
  });

  it('gives its rationale, and throws where a scorer does not apply', async () => {
    const remarks: string[] = [];
    const scorer = (score: number | null) => () => ({ name: 'S', score, metadata: { rationale: 'because' } });
    await new AutoevalsReward(scorer(0.5)).compute({}, { remark: (text) => remarks.push(text) });
    expect(remarks).toEqual(['S: because']);
    await expect(new AutoevalsReward(scorer(null)).compute({})).rejects.toMatchObject({
      code: 'ART_JUDGE_FAILED',
    });
  });
});
