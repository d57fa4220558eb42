import { describe, expect, it } from 'vitest';
import { equalMaths } from './equal-maths.ts';
import { extractMathsAnswer } from './extract-maths-answer.ts';
import { MathsReward } from './maths-reward.ts';

describe('equalMaths', () => {
  it.each([
    [String.raw`\frac{1}{2}`, '0.5'],
    [String.raw`\dfrac34`, String.raw`\frac{3}{4}`],
    ['3/4', '0.75'],
    [String.raw`2\sqrt{2}`, String.raw`\sqrt{8}`],
    ['x^2+2x+1', '(x+1)^2'],
    [String.raw`\sin^2 x + \cos^2 x`, '1'],
    [String.raw`\frac{x}{x+1}`, String.raw`1-\frac{1}{x+1}`],
    [String.raw`\left(1, \frac{1}{2}\right)`, '(1, 0.5)'],
    [String.raw`\{2, 1\}`, String.raw`\{1,2\}`],
    ['2, 1', '1, 2'],
    ['[0, 1)', '[0,1)'],
    ['1,000', '1000'],
    ['1{,}000{,}000', '10^6'],
    ['$5$', '5'],
    ['x = 5', '5'],
    ['5\\text{ cm}', '0.05 m'],
    ['5 cm', '5'],
    ['3 apples', '3 apple'],
    ['90^\\circ', '90'],
    ['20\\%', '20%'],
    ['2 hours', '120 minutes'],
    ['\\$18.00', '18'],
    ['(x+1)(x-1)', 'x^2-1'],
    ['5!', '120'],
    [String.raw`\log_2 8 + \binom{5}{2}`, '13'],
    ['-\\infty', '-\\infty'],
  ])('%s is %s', (given, expected) => {
    expect(equalMaths(given, expected)).toBe(true);
  });

  it.each([
    ['0.5', '0.51'],
    ['x^2', 'x^3'],
    ['(1, 2)', '(2, 1)'],
    ['(0, 1)', '[0, 1)'],
    ['1, 2', '1, 2, 3'],
    ['5 cm', '5 m'],
    ['5 kg', '5 m'],
    ['20\\%', '0.2'],
    ['', '0'],
    ['the answer', '42'],
    ['\\frac{1}{', '1'],
    [String.raw`9^{9^{9^{9}}}`, '1'],
    [String.raw`\sum_{i=1}^{1000000000} i`, '1'],
    ['1000000!', '1'],
    [String.raw`(10^9)!`, '1'],
    ['x', 'y'],
  ])('%s is not %s', (given, expected) => {
    expect(equalMaths(given, expected)).toBe(false);
  });
});

describe('extractMathsAnswer', () => {
  it.each([
    [String.raw`So it is \boxed{1} or rather $\boxed{\frac{1}{2}}$.`, String.raw`\frac{1}{2}`],
    ['2 + 2 = 4\n#### 4', '4'],
    ['First the answer is 3.\nNo, the final answer is: 4.\nBye', '4'],
    ['42', '42'],
  ])('in %j it is %j', (text, answer) => {
    expect(extractMathsAnswer(text)).toBe(answer);
  });

  it.each(['', 'I do\nnot know', String.raw`\boxed{1`, `${'x'.repeat(10_000)}\n`])(
    'finds none in %j',
    (text) => {
      expect(extractMathsAnswer(text)).toBeUndefined();
    },
  );
});

describe('MathsReward', () => {
  it('judges a solution by its last answer, and says how it read it', async () => {
    const remarks: string[] = [];
    const reward = new MathsReward({ score: 2 });
    const context = { remark: (text: string) => remarks.push(text) };
    const responseText = String.raw`Thus \boxed{\frac{3}{6}}.`;
    expect(await reward.compute({ responseText, groundTruth: 0.5 }, context)).toBe(2);
    expect(await reward.compute({ responseText: 'no\nidea', groundTruth: '0.5' }, context)).toBe(0);
    expect(remarks).toEqual([String.raw`The answer was read as \frac{3}{6}.`, 'No answer was found.']);
    await expect(reward.compute({ responseText, groundTruth: '' })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
  });
});
