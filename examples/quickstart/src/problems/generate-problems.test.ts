import { describe, expect, it } from 'vitest';
import { generateProblems } from './generate-problems.ts';
import { problemTemplates } from './problem-templates.ts';

it('has at least 20 kinds of problem, each with its own name', () => {
  expect(problemTemplates.length).toBeGreaterThanOrEqual(20);
  expect(new Set(problemTemplates.map(({ name }) => name)).size).toBe(problemTemplates.length);
});

it('repeats itself for the same seed and not for another', () => {
  const problems = generateProblems({ count: 100, seed: 1 });
  expect(generateProblems({ count: 100, seed: 1 })).toEqual(problems);
  expect(generateProblems({ count: 100, seed: 2 })).not.toEqual(problems);
});

it('starts with the same problems whatever the count', () => {
  expect(generateProblems({ count: 50, seed: 1 }).slice(0, 10)).toEqual(
    generateProblems({ count: 10, seed: 1 }),
  );
});

it('writes thousands of different questions', () => {
  const problems = generateProblems({ count: 3000, seed: 5 });
  expect(new Set(problems.map(({ question }) => question)).size).toBe(3000);
});

it('says so when a template cannot fill the order', () => {
  const template = {
    name: 'only-one',
    text: 'What is {a} + 1?',
    numbers: { a: [1, 1] as const },
    steps: ['{a} + 1'],
  };
  expect(() => generateProblems({ count: 2, seed: 1, templates: [template] })).toThrow('found 1');
});

describe('every template', () => {
  it.each(problemTemplates)('$name: whole positive answers, no slot left open', (template) => {
    for (const { question, answer } of generateProblems({ count: 30, seed: 3, templates: [template] })) {
      expect(question).not.toMatch(/[{}#]|undefined/);
      expect(answer).toMatch(/^[1-9]\d*$/);
    }
  });

  it('solves known questions as a person would', () => {
    const solved = Object.fromEntries(
      generateProblems({ count: 400, seed: 11 }).map(({ question, answer }) => [question, Number(answer)]),
    );
    // Read back and computed here by hand-written formulas, independent of the templates' own steps.
    const formulas: [RegExp, (...numbers: number[]) => number][] = [
      [
        /hens lay (\d+) eggs .* eats (\d+) .* \$(\d+) each/,
        (lay = 0, eat = 0, price = 0) => (lay - eat) * price,
      ],
      [
        /(\d+) painters need (\d+) days .* would (\d+) painters/,
        (n = 0, d = 0, other = 1) => (n * d) / other,
      ],
      [
        /garden is (\d+) metres long and (\d+) .* \$(\d+) a metre/,
        (l = 0, w = 0, p = 0) => (l + l + w + w) * p,
      ],
      [
        /uses (\d+) litres .* \$(\d+) a litre.* ([\d,]+) kilometres cost/,
        (l = 0, p = 0, d = 0) => (l * p * d) / 100,
      ],
      [
        /is (\d+) years old.* (\d+) times .* in (\d+) years/,
        (age = 0, times = 0, years = 0) => age * times + years,
      ],
    ];
    for (const [pattern, formula] of formulas) {
      const matching = Object.keys(solved).filter((question) => pattern.test(question));
      expect(matching.length).toBeGreaterThan(3);
      for (const question of matching) {
        const numbers =
          pattern
            .exec(question)
            ?.slice(1)
            .map((text) => Number(text.replaceAll(',', ''))) ?? [];
        expect(solved[question]).toBeCloseTo(formula(...numbers), 9);
      }
    }
  });
});
