import { evaluateExpression, ExpressionError } from '@art/example-math-agent/evaluate-expression';
import { fillResults } from '../problems/problem-template.ts';
import type { SeededRandom } from '../problems/seeded-random.ts';
import type { ProblemReading } from './read-problem.ts';

/** Plan of the scripted model for a problem. */
export interface SolutionPlan {
  /** Expressions for the calculator, one a turn; `#1` stands for the result of the first. */
  steps: string[];
  /** Added to the last result when the answer is written down; 0 where the model copies it faithfully. */
  slip: number;
  mistake: MistakeKind | undefined;
}

/** A wrong operation, a number misread in the question, or a result copied wrongly. */
export type MistakeKind = 'operation' | 'misread' | 'slip';

/**
 * Decides how the model goes about a problem. With probability `errorRate` it makes one mistake, and a mistake always
 * makes the answer wrong, so that accuracy is what the error rate says.
 */
export function planSolution(reading: ProblemReading, errorRate: number, random: SeededRandom): SolutionPlan {
  const right: SolutionPlan = { steps: reading.steps, slip: 0, mistake: undefined };
  if (random.next() >= errorRate) return right;
  const mistake = random.pick<MistakeKind>(['operation', 'misread', 'slip']);
  const wrong = mistake === 'slip' ? undefined : withWrongStep(reading.steps, mistake, random);
  // 2 + 2 is also 2 * 2: where a mistake would do no harm, the model slips instead.
  if (wrong !== undefined && isHarmful(wrong, reading.steps)) return { steps: wrong, slip: 0, mistake };
  const slip = random.integer(1, 9) * random.pick([-1, 1]);
  return { steps: reading.steps, slip, mistake: 'slip' };
}

const confusedWith: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '+', '/': '*' };

function withWrongStep(
  steps: readonly string[],
  mistake: 'operation' | 'misread',
  random: SeededRandom,
): string[] | undefined {
  const index = random.integer(0, steps.length - 1);
  const step = steps[index] ?? '';
  const places = [...step.matchAll(mistake === 'operation' ? / ([-+*/]) /g : /(?<![#\d])(\d+)/g)];
  if (places.length === 0) return undefined;
  const { index: at, 0: found, 1: token = '' } = random.pick(places);
  const replacement =
    mistake === 'operation'
      ? ` ${confusedWith[token] ?? token} `
      : String(Math.max(1, Number(token) + random.integer(1, 3) * random.pick([-1, 1])));
  return steps.with(index, step.slice(0, at) + replacement + step.slice(at + found.length));
}

function isHarmful(wrong: readonly string[], right: readonly string[]): boolean {
  const result = outcome(wrong);
  return result !== undefined && result !== outcome(right);
}

function outcome(steps: readonly string[]): string | undefined {
  const results: string[] = [];
  try {
    for (const step of steps) results.push(String(evaluateExpression(fillResults(step, results))));
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
  return results.at(-1);
}
