import { describe, expect, it } from 'vitest';
import { GSM8KReward, type GSM8KRewardOptions } from './gsm8k-reward.ts';

it.each<[string, string | number, number]>([
  ['#### 18', '18', 1],
  ['#### 18', 18, 1],
  ['#### 18.0', '18', 1],
  ['#### 18.', '18', 1],
  ['#### 18', '18.00', 1],
  ['#### 1,000', '1000', 1],
  ['#### 1000', '1,000', 1],
  ['#### $70000', '70000', 1],
  ['#### -3', '-3', 1],
  ['#### -3', '3', 0],
  ['#### −3', '-3', 1],
  ['#### ‑3', '-3', 1],
  ['#### -0', '0', 1],
  ['#### 19', '18', 0],
  ['#### 17\n#### 18', '18', 1],
  ['#### 18\n#### 17', '18', 0],
  ['#### 9007199254740993', '9007199254740992', 0],
  ['#### 18.18.18', '18', 0],
  ['#### .', '18', 0],
  ['the answer is 18', '18', 0],
  ['', '18', 0],
  ['#### 18', 'She sells 9 * 2 = $<<9*2=18>>18\n#### 18', 1],
  ['#### 70000', 'In all:\n#### 70,000', 1],
])('strict: %j against %j gives %d', async (responseText, groundTruth, reward) => {
  await expect(new GSM8KReward().compute({ responseText, groundTruth })).resolves.toBe(reward);
});

it.each<[string, string, number]>([
  ['so the answer is 18', '18', 1],
  ['so the answer is $1,234.50.', '1234.5', 1],
  ['no number at all', '18', 0],
  ['it is −18', '18', 0],
  ['it is 18, or 19', '18', 0],
])('flexible: %j against %j gives %d', async (responseText, groundTruth, reward) => {
  await expect(new GSM8KReward({ method: 'flexible' }).compute({ responseText, groundTruth })).resolves.toBe(
    reward,
  );
});

it('rewards the format of a wrong answer, and of none with 0', async () => {
  const reward = new GSM8KReward({ score: 2, formatScore: 0.1 });
  await expect(reward.compute({ responseText: '#### 18', groundTruth: '18' })).resolves.toBe(2);
  await expect(reward.compute({ responseText: '#### 19', groundTruth: '18' })).resolves.toBe(0.1);
  await expect(reward.compute({ responseText: '19', groundTruth: '18' })).resolves.toBe(0);
});

describe('refuses', () => {
  it.each<[string, GSM8KRewardOptions, string]>([
    [
      'an unknown method',
      { method: 'loose' as never },
      "`method` to be 'strict' or 'flexible', got \"loose\"",
    ],
    ['a score that is not finite', { score: Number.NaN }, '`score` to be a finite number, got NaN'],
    [
      'a format score that is text',
      { formatScore: '1' as never },
      '`formatScore` to be a finite number, got "1"',
    ],
    ['a misspelt name', { formatscore: 1 } as never, 'got "formatscore". Did you mean formatScore?'],
  ])('%s', (_name, options, message) => {
    expect(() => new GSM8KReward(options)).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_OPTION', message: expect.stringContaining(message) }),
    );
  });

  it('does not count what was only thought', async () => {
    const thought = '<think>Maybe\n#### 18</think>';
    expect(await new GSM8KReward().compute({ responseText: thought, groundTruth: '18' })).toBe(0);
    expect(await new GSM8KReward().compute({ responseText: `${thought}\n#### 18`, groundTruth: '18' })).toBe(
      1,
    );
  });

  it.each<[string, unknown, string]>([
    ['no answer', undefined, 'responseText'],
    [
      'a response without text',
      { responseText: null, groundTruth: '18' },
      '`responseText` to be a string, got null',
    ],
    ['no ground truth', { responseText: '#### 18' }, 'groundTruth'],
    ['an empty ground truth', { responseText: '#### 18', groundTruth: ' ' }, 'groundTruth'],
    ['a ground truth of NaN', { responseText: '#### 18', groundTruth: Number.NaN }, 'got NaN'],
    ['a ground truth that is no number', { responseText: '#### 18', groundTruth: 'x = 18' }, 'got "x = 18"'],
    [
      'a solution that ends in no number',
      { responseText: '#### 18', groundTruth: '18\n####' },
      'groundTruth',
    ],
  ])('%s', async (_name, answer, message) => {
    await expect(new GSM8KReward().compute(answer as never)).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
      message: expect.stringContaining(message),
    });
  });
});
