import { generateProblems } from '../problems/generate-problems.ts';
import { loadGsm8k } from '../problems/load-gsm8k.ts';
import type { Problem } from '../problems/problem.ts';
import type { EvaluationOptions } from './evaluation-options.ts';

/** The problems of an evaluation: from the data set where one is given, generated otherwise. */
export async function loadProblems(
  options: Pick<EvaluationOptions, 'dataset' | 'problems' | 'seed'>,
): Promise<Problem[]> {
  const { dataset, problems: count, seed } = options;
  if (dataset === undefined) return generateProblems({ count, seed });
  const problems: Problem[] = [];
  for await (const problem of loadGsm8k(dataset, { limit: count })) problems.push(problem);
  return problems;
}
