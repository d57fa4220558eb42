import { evaluateExpression } from '@art/example-math-agent/evaluate-expression';
import type { MockRequest } from '@art/mock-model';
import { fillResults } from '../problems/problem-template.ts';
import { SeededRandom } from '../problems/seeded-random.ts';
import { planSolution, type SolutionPlan } from './plan-solution.ts';
import { readProblem } from './read-problem.ts';

/** The model's next words. `call` uses the calculator; `answer` and `give_up` end the conversation. */
export type ScriptedReply =
  | { kind: 'call'; content: string; expression: string }
  | { kind: 'answer'; content: string; plan: SolutionPlan }
  | { kind: 'give_up'; content: string };

export interface ScriptedBehaviour {
  /** Probability that a solution has a mistake, 0 to 1. */
  errorRate: number;
  /** The same seed makes the same mistakes. */
  seed: number;
}

/**
 * Decides the next message of the conversation from its messages alone, as a model would: it reads the question, asks
 * the calculator for one step after the other, reads the results and writes the answer.
 *
 * At a temperature above 0 and without a `seed` in the request, different API keys see different mistakes, as the
 * rollouts of one group would; at 0, or with a seed, a question always gets the same.
 */
export function chooseReply(request: MockRequest, behaviour: ScriptedBehaviour): ScriptedReply {
  const { question } = request;
  const reading = readProblem(question);
  if (reading === undefined) {
    return {
      kind: 'give_up',
      content: 'I cannot parse this problem: I only know the ones of the generator.',
    };
  }
  const draw = request.temperature === 0 ? 'greedy' : (request.seed ?? request.apiKey);
  const random = new SeededRandom(behaviour.seed, question, draw);
  const plan = planSolution(reading, behaviour.errorRate, random);

  // A later step builds on these texts and on nothing else.
  const results = request.toolResults.map((result) => result.trim());
  const failed = results.find((result) => !Number.isFinite(Number(result)));
  if (failed !== undefined) {
    return { kind: 'give_up', content: `The calculator did not give me a number but "${failed}".` };
  }
  const step = plan.steps[results.length];
  if (step !== undefined && request.tools.some(({ name }) => name === 'calculator')) {
    const expression = fillResults(step, results);
    return {
      kind: 'call',
      content: `Step ${results.length + 1} of ${plan.steps.length}: ${expression}.`,
      expression,
    };
  }
  // Without the tool the rest is done in the head.
  for (const rest of plan.steps.slice(results.length)) {
    results.push(String(evaluateExpression(fillResults(rest, results))));
  }
  const answer = String(Number(results.at(-1)) + plan.slip);
  return { kind: 'answer', content: `${explain(plan, results)}\n#### ${answer}`, plan };
}

function explain(plan: SolutionPlan, results: readonly string[]): string {
  return plan.steps.map((step, index) => `${fillResults(step, results)} = ${results[index]}`).join('\n');
}
