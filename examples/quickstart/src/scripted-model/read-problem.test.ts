import { expect, it } from 'vitest';
import { evaluateExpression } from '@art/example-math-agent/evaluate-expression';
import { generateProblems } from '../problems/generate-problems.ts';
import { fillResults } from '../problems/problem-template.ts';
import { problemTemplates } from '../problems/problem-templates.ts';
import { readProblem } from './read-problem.ts';

it.each(problemTemplates)('understands and solves $name', (template) => {
  for (const { question, answer } of generateProblems({ count: 40, seed: 9, templates: [template] })) {
    const reading = readProblem(question);
    expect(reading?.kind).toBe(template.name);
    const results: string[] = [];
    for (const step of reading?.steps ?? []) {
      results.push(String(evaluateExpression(fillResults(step, results))));
    }
    expect(results.at(-1)).toBe(answer);
  }
});

it('takes the numbers from the text', () => {
  const text = (road: string) =>
    `The road from one town to the next is ${road} kilometres long. Rosa drives for 3 hours at 70 kilometres an hour. How many kilometres remain?`;
  expect(readProblem(text('500'))).toEqual({ kind: 'remaining-road', steps: ['3 * 70', '500 - #1'] });
  // Not a number that the generator would ever write.
  expect(readProblem(text('123,456'))?.steps).toEqual(['3 * 70', '123456 - #1']);
});

it('does not mind line breaks', () => {
  const question =
    "Hana's hens lay 20 eggs a day.\n Hana eats 4 of them and sells the rest for $3 each.\nHow many dollars does Hana earn in a day?\n";
  expect(readProblem(question)?.steps).toEqual(['20 - 4', '#1 * 3']);
});

it.each([
  '',
  'What is 2 + 2?',
  // Two people where the problem has one.
  "Hana's hens lay 20 eggs a day. Omar eats 4 of them and sells the rest for $3 each. How many dollars does Hana earn in a day?",
])('does not understand %j', (question) => {
  expect(readProblem(question)).toBeUndefined();
});
