import { expect, it } from 'vitest';
import { evaluateExpression } from '@art/example-math-agent/evaluate-expression';
import { generateProblems } from '../problems/generate-problems.ts';
import { fillResults } from '../problems/problem-template.ts';
import { SeededRandom } from '../problems/seeded-random.ts';
import { planSolution, type SolutionPlan } from './plan-solution.ts';
import { readProblem } from './read-problem.ts';

const problems = generateProblems({ count: 1000, seed: 4 }).map(({ question, answer }) => {
  const reading = readProblem(question);
  if (reading === undefined) throw new Error(`Cannot read: ${question}`);
  return { question, answer, reading };
});

function answerOf(plan: SolutionPlan): string {
  const results: string[] = [];
  for (const step of plan.steps) results.push(String(evaluateExpression(fillResults(step, results))));
  return String(Number(results.at(-1)) + plan.slip);
}

it('solves all of 1000 problems at an error rate of 0', () => {
  for (const { answer, question, reading } of problems) {
    expect(answerOf(planSolution(reading, 0, new SeededRandom(question)))).toBe(answer);
  }
});

it('solves none at an error rate of 1, with mistakes of every kind', () => {
  const kinds = new Set<string | undefined>();
  for (const { answer, question, reading } of problems) {
    const plan = planSolution(reading, 1, new SeededRandom(question));
    kinds.add(plan.mistake);
    expect(answerOf(plan)).not.toBe(answer);
  }
  expect([...kinds].toSorted()).toEqual(['misread', 'operation', 'slip']);
});

it.each([0.05, 0.2, 0.5])('keeps to an error rate of %d over 1000 problems', (errorRate) => {
  const wrong = problems.filter(
    ({ answer, question, reading }) =>
      answerOf(planSolution(reading, errorRate, new SeededRandom('rate', question))) !== answer,
  ).length;
  // Four standard deviations of a binomial distribution.
  const tolerance = 4 * Math.sqrt(1000 * errorRate * (1 - errorRate));
  expect(Math.abs(wrong - 1000 * errorRate)).toBeLessThan(tolerance);
});

it('slips where a wrong operation would give the right answer', () => {
  const reading = { kind: 'test', steps: ['2 * 2'] };
  for (let seed = 0; seed < 200; seed += 1) {
    expect(answerOf(planSolution(reading, 1, new SeededRandom(seed)))).not.toBe('4');
  }
});
