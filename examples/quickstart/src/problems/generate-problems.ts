import { evaluateExpression } from '@art/example-math-agent/evaluate-expression';
import { fillResults, fillSlots, type ProblemTemplate } from './problem-template.ts';
import { problemTemplates } from './problem-templates.ts';
import type { Problem } from './problem.ts';
import { SeededRandom } from './seeded-random.ts';

export interface GenerateProblemsOptions {
  count: number;
  /** The same seed gives the same problems. */
  seed: number;
  /** @default all of them */
  templates?: readonly ProblemTemplate[];
}

// The choosiest template needs about 150 draws in the mean, so failing all of these means that a template's
// questions are used up (or that it has none).
const drawsPerTemplate = 5_000;
const templatesToTry = 50;

/** Word problems with whole, positive answers, all different; each kind is equally likely. */
export function generateProblems(options: GenerateProblemsOptions): Problem[] {
  const { count, seed, templates = problemTemplates } = options;
  const random = new SeededRandom('problems', seed);
  const questions = new Set<string>();
  return Array.from({ length: count }, () => {
    for (let tried = 0; tried < templatesToTry; tried += 1) {
      const problem = drawNewProblem(random.pick(templates), random, questions);
      if (problem === undefined) continue;
      questions.add(problem.question);
      return problem;
    }
    throw new Error(`Expected ${count} different problems, found ${questions.size}. Ask for fewer.`);
  });
}

function drawNewProblem(
  template: ProblemTemplate,
  random: SeededRandom,
  questions: ReadonlySet<string>,
): Problem | undefined {
  for (let draws = 0; draws < drawsPerTemplate; draws += 1) {
    const problem = drawProblem(template, random);
    if (problem !== undefined && !questions.has(problem.question)) return problem;
  }
  return undefined;
}

/** One attempt at filling a template; undefined where a step does not come out whole and positive. */
function drawProblem(template: ProblemTemplate, random: SeededRandom): Problem | undefined {
  const numbers = new Map(
    Object.entries(template.numbers).map(([slot, [min, max]]) => [slot, random.integer(min, max)]),
  );
  const words = Object.entries(template.words ?? {}).map(([slot, choices]) => [slot, random.pick(choices)]);
  const digits = Object.fromEntries([...numbers].map(([slot, value]) => [slot, String(value)]));
  const results: string[] = [];
  for (const step of template.steps) {
    const result = evaluateExpression(fillResults(fillSlots(step, digits), results));
    if (!Number.isInteger(result) || result <= 0) return undefined;
    results.push(String(result));
  }
  const written = [...numbers].map(([slot, value]) => [slot, value.toLocaleString('en-US')]);
  return {
    question: fillSlots(template.text, { ...Object.fromEntries(written), ...Object.fromEntries(words) }),
    answer: results.at(-1) ?? '',
  };
}
