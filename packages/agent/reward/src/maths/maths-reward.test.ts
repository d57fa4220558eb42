import fc from 'fast-check';
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
    ['20\\%', '0.2'],
    [String.raw`12\text{ cm}^2`, String.raw`1200\text{ mm}^2`],
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
    ['200!', String.raw`200\cdot 199!`],
    ['0.333333', '1/3'],
    ['0.66666666', '2/3'],
    ['3.14159', String.raw`\pi`],
    [String.raw`\sin\pi`, '0'],
    [String.raw`\sin 30^\circ`, String.raw`\frac12`],
    [String.raw`\sqrt[3]{-8}`, '-2'],
    [String.raw`e^{i\pi}`, '-1'],
    [String.raw`1\frac12`, '1.5'],
    ['|x|', String.raw`\sqrt{x^2}`],
    ['(x+1)^{50}', '(1+x)^{50}'],
    ['n!', 'n(n-1)!'],
    [String.raw`\tan^2(y)+1`, String.raw`\sec^2(y)`],
    [String.raw`\text{(C)}`, 'C'],
    [String.raw`\text{(C)}`, '(C)'],
    [String.raw`\text{E}`, 'E'],
    [String.raw`\text{Evelyn}`, 'Evelyn'],
    [String.raw`\text{Yes}`, 'yes'],
    [String.raw`\{1,2\}`, '1, 2'],
    [String.raw`\{100,200\}`, String.raw`\{200,100\}`],
    ['-11;-12', String.raw`\{-11, -12\}`],
    [String.raw`6 \text{ and } 8`, '6, 8'],
    ['(11,7)or(7,11)', String.raw`(7,11) \text{ or } (11,7)`],
    [String.raw`\pm 2021`, String.raw`\{-2021, 2021\}`],
    [String.raw`3 \pm 2\sqrt{2}`, String.raw`3-2\sqrt2, 3+2\sqrt2`],
    [String.raw`x \le 5`, '5 >= x'],
    [String.raw`x \le 5`, String.raw`(-\infty, 5]`],
    ['x < 1', '-x > -1'],
    [String.raw`-2 \le x \le 7`, String.raw`x \in [-2,7]`],
    ['0<f(x)<1', '(0,1)'],
    [String.raw`x \neq 3`, 'x != 3'],
    [String.raw`[0,1)\cup(2,3)`, String.raw`(2,3)\cup[0,1)`],
    ['x=5, y=3', 'y=3, x=5'],
    ['AB=4,CD=5', '4, 5'],
    ['(p,q)=(3,2)', '(3,2)'],
    ['2x = 10', 'x = 5'],
    ['2x+4y-3=0', String.raw`y=-\frac{1}{2}x+\frac{3}{4}`],
    ['x^2/4 + y^2/3 = 1', 'x^2/16 + y^2/12 = 1/4'],
    ['x = 5+5+1 = 7 = 11', '11'],
    [String.raw`x = 1/3 \approx 0.3`, '1/3'],
    ['7:32', '7:32'],
    [String.raw`11,\! 111,\! 111`, '11111111'],
    [String.raw`\begin{pmatrix}1&\frac12\end{pmatrix}`, String.raw`\begin{bmatrix}1&0.5\end{bmatrix}`],
    [String.raw`\varnothing`, String.raw`\emptyset`],
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
    ['20\\%', '20'],
    ['2, 1', '1, 2'],
    ['1, 1, 2', '1, 2'],
    ['', '0'],
    ['the answer', '42'],
    ['\\frac{1}{', '1'],
    [String.raw`9^{9^{9^{9}}}`, '1'],
    [String.raw`\sum_{i=1}^{1000000000} i`, '1'],
    ['1000000!', '1'],
    [String.raw`(10^9)!`, '1'],
    ['x', 'y'],
    // No number equals an infinity, nor what cannot be computed.
    ['5', String.raw`\infty`],
    ['-3', String.raw`-\infty`],
    [String.raw`-\infty`, String.raw`\infty`],
    [String.raw`(-\infty, 5)`, '(3, 5)'],
    ['2^{2000}', '2^{2001}'],
    ['2^{90000}', String.raw`\infty`],
    ['200!', '201!'],
    ['200!', String.raw`\infty`],
    ['e^{1000}', 'e^{1001}'],
    ['e^{1000}', '5'],
    ['e^{-1000}', '0'],
    [String.raw`\frac{1}{0}`, String.raw`\frac{2}{0}`],
    ['NaN', '1'],
    ['Infinity', '5'],
    // Different numbers, however near.
    ['12345678', '12345679'],
    ['1234567.8', '1234567.9'],
    ['0.5', '0.5000001'],
    ['0.3333', '1/3'],
    [String.raw`\sqrt{10^{40}}`, '10^{20}+1'],
    [String.raw`\frac{1}{2^{99}}`, String.raw`\frac{1}{2^{98}}`],
    [String.raw`\sqrt2\cdot10^{-15}`, '0'],
    [String.raw`\lfloor\sqrt2\cdot\sqrt2\rfloor`, '50'],
    ['|x|', 'x'],
    [String.raw`\sqrt{x^2}`, 'x'],
    ['4', String.raw`4\sqrt{2}`],
    [String.raw`\text{(C)}`, String.raw`\text{(D)}`],
    ['A', 'a'],
    ['dog', 'god'],
    [String.raw`\{1,2\}`, String.raw`\{1,2,3\}`],
    ['(1,2)', String.raw`\{1,2\}`],
    [String.raw`x \le 5`, 'x < 5'],
    [String.raw`x \le 5`, String.raw`x \ge 5`],
    ['x < 1', 'x > -1'],
    ['(1,2]', '[1,2]'],
    [String.raw`[0,1)\cup(2,3)`, '[0,1)'],
    ['x=5, y=3', 'x=3, y=5'],
    ['x = 5', 'y = 5'],
    ['a + b = 0', '0'],
    ['7 = 11a + c', '11a + c'],
    [String.raw`\pm 5`, '5'],
    ['12:00', '1:00'],
    [String.raw`\begin{pmatrix}1&2\\3&4\end{pmatrix}`, String.raw`\begin{pmatrix}1&2\\3&5\end{pmatrix}`],
    [String.raw`\sum_{k=0}^{n-1} F_k`, String.raw`\sum_{k=0}^{n-2} F_k`],
  ])('%s is not %s', (given, expected) => {
    expect(equalMaths(given, expected)).toBe(false);
  });
});

describe('equalMaths, for any numbers', () => {
  const digits = fc.bigInt({ min: 10n ** 12n, max: 10n ** 18n });
  const decimal = fc
    .tuple(digits, fc.integer({ min: 0, max: 14 }))
    .map(([all, places]) =>
      places === 0 ? String(all) : `${String(all).slice(0, -places)}.${String(all).slice(-places)}`,
    );
  const answer = fc.oneof(
    decimal,
    decimal.map((text) => `-${text}`),
    fc.tuple(digits, digits).map(([n, d]) => String.raw`\frac{${n}}{${d}}`),
    decimal.map((text) => String.raw`\sqrt{${text}}`),
    fc.tuple(decimal, decimal).map(([a, b]) => `[${a}, ${b})`),
    fc.tuple(decimal, decimal).map(([a, b]) => String.raw`\{${a}, ${b}x\}`),
    decimal.map((text) => String.raw`x \ge ${text}`),
    fc.constantFrom(
      String.raw`\infty`,
      String.raw`-\infty`,
      'e^{999}',
      '3^{99999}',
      'Evelyn',
      'x^2',
      String.raw`\frac10`,
    ),
    fc.string({ maxLength: 20 }),
  );
  const runs = { numRuns: 150, seed: 7 };

  it('each is itself, and the order of the two does not count', () => {
    fc.assert(
      fc.property(answer, answer, (first, second) => {
        if (first.trim() !== '') expect(equalMaths(first, first)).toBe(true);
        expect(equalMaths(first, second)).toBe(equalMaths(second, first));
      }),
      runs,
    );
  });

  it('none is infinite, nor its neighbour', () => {
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 12 }), (whole, places) => {
        const shifted = (value: bigint): string => String.raw`\frac{${value}}{10^{${places}}}`;
        expect(equalMaths(shifted(whole), shifted(whole + 1n))).toBe(false);
        expect(equalMaths(shifted(whole), String.raw`\infty`)).toBe(false);
        expect(equalMaths(`[0, ${whole})`, String.raw`[0, \infty)`)).toBe(false);
        expect(equalMaths(`${whole}!`, `${whole + 1n}!`)).toBe(false);
      }),
      runs,
    );
  });

  it('has a tolerance only where one is wanted', () => {
    expect(equalMaths('9810', '9800')).toBe(false);
    expect(equalMaths('9810', '9800', { tolerance: 0.01 })).toBe(true);
    expect(equalMaths('2.67', String.raw`\frac83`, { tolerance: 0.01 })).toBe(true);
    expect(equalMaths(String.raw`\infty`, '5', { tolerance: 0.5 })).toBe(false);
  });

  // Each took the parser or the arithmetic longer than anyone waits.
  it.each([
    '|'.repeat(200),
    String.raw`\|`.repeat(100),
    'x ['.repeat(100),
    String.raw`\mathbb{R}\{`.repeat(25),
    String.raw`\forall`.repeat(30),
    '4999!+'.repeat(40) + '1',
    String.raw`\binom{4999}{2500}+`.repeat(15) + '1',
    '9^'.repeat(100) + '9',
    '('.repeat(5_000),
  ])('judges %s at once', (latex) => {
    expect(equalMaths(latex, '7')).toBe(false);
    expect(equalMaths(latex, latex)).toBe(true);
  });
});

describe('extractMathsAnswer', () => {
  it.each([
    [String.raw`So it is \boxed{1} or rather $\boxed{\frac{1}{2}}$.`, String.raw`\frac{1}{2}`],
    ['2 + 2 = 4\n#### 4', '4'],
    ['First the answer is 3.\nNo, the final answer is: 4.\nBye', '4'],
    ['42', '42'],
    [String.raw`$\boxed{1}$, $\boxed{2}$ and \boxed{3}.`, '1, 2, 3'],
    [String.raw`First \boxed{1}. No: \boxed{2}`, '2'],
  ])('in %j it is %j', (text, answer) => {
    expect(extractMathsAnswer(text)).toBe(answer);
  });

  it.each([
    `The answer is${' '.repeat(200)}x${' '.repeat(200)}\nThe answer is`,
    `answer ${' '.repeat(3_000)}x`,
  ])('reads %.30j at once', (text) => {
    expect(extractMathsAnswer(text)?.length ?? 0).toBeLessThan(2);
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
