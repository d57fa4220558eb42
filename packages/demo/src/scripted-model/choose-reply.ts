import { evaluateExpression } from '@art/example-math-agent/evaluate-expression';
import { fillResults } from '../problems/problem-template.ts';
import { SeededRandom } from '../problems/seeded-random.ts';
import { type ChatMessage, type ChatRequest, messageText } from './chat-request.ts';
import { planSolution, type SolutionPlan } from './plan-solution.ts';
import { readProblem } from './read-problem.ts';

/** What the model says next. `call` uses the calculator; `answer` and `give_up` end the conversation. */
export type ScriptedReply =
  | { kind: 'call'; content: string; callId: string; expression: string }
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
 * @param sampler Who asks. At a temperature above 0 and without a `seed` in the request, different samplers see
 *   different mistakes, as the rollouts of one group would; at 0, or with a seed, a question always gets the same.
 */
export function chooseReply(
  request: ChatRequest,
  behaviour: ScriptedBehaviour,
  sampler: string,
): ScriptedReply {
  const asked = request.messages.findLastIndex((message) => message.role === 'user');
  const question = request.messages[asked];
  const reading = question === undefined ? undefined : readProblem(messageText(question));
  if (question === undefined || reading === undefined) {
    return {
      kind: 'give_up',
      content: 'I cannot parse this problem: I only know the ones of the generator.',
    };
  }
  const draw = request.temperature === 0 ? 'greedy' : (request.seed ?? sampler);
  const random = new SeededRandom(behaviour.seed, messageText(question), draw);
  const plan = planSolution(reading, behaviour.errorRate, random);

  const results = toolResults(request.messages.slice(asked + 1));
  const failed = results.find((result) => !Number.isFinite(Number(result)));
  if (failed !== undefined) {
    return { kind: 'give_up', content: `The calculator did not give me a number but "${failed}".` };
  }
  const step = plan.steps[results.length];
  if (step !== undefined && hasCalculator(request)) {
    const expression = fillResults(step, results);
    return {
      kind: 'call',
      content: `Step ${results.length + 1} of ${plan.steps.length}: ${expression}.`,
      callId: `call_${results.length + 1}`,
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

/** What the tool answered so far; a later step builds on these texts and on nothing else. */
function toolResults(messages: readonly ChatMessage[]): string[] {
  return messages.filter((message) => message.role === 'tool').map((message) => messageText(message).trim());
}

function hasCalculator(request: ChatRequest): boolean {
  return request.tools?.some((tool) => tool.function?.name === 'calculator') ?? false;
}

function explain(plan: SolutionPlan, results: readonly string[]): string {
  return plan.steps.map((step, index) => `${fillResults(step, results)} = ${results[index]}`).join('\n');
}
