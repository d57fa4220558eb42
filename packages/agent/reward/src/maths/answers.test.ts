import { describe, expect, it } from 'vitest';
import { honestAnswers, hostileAnswers } from './answers.fixture.ts';
import { MathsReward } from './maths-reward.ts';

/** Rows of a table whose reward is another one than it should be. */
async function mistakes(table: string, right: number): Promise<string[]> {
  const found: string[] = [];
  for (const row of table.trim().split('\n')) {
    const [groundTruth = '', answers = ''] = row.split(' ← ');
    for (const answer of answers.split(' ¦ ')) {
      const responseText = answer.replaceAll('⏎', '\n').replaceAll('‵', '`');
      if ((await new MathsReward().compute({ responseText, groundTruth })) !== right)
        found.push(`${groundTruth} ← ${answer}`);
    }
  }
  return found;
}

describe('MathsReward', () => {
  it('pays nothing for an answer that says something else', async () => {
    expect(await mistakes(hostileAnswers, 0)).toEqual([]);
  });

  it('pays for an answer that says the same', async () => {
    expect(await mistakes(honestAnswers, 1)).toEqual([]);
  });
});
