/** Folder of the evaluations of a search, below its own. */
export const evaluationsFolder = 'evaluations';

export const heldOutPrefix = 'held-out-';

/** Purpose of an evaluation within an iteration. */
export type EvaluationPart = 'parent' | 'child' | 'validation';

export function iterationName(iteration: number, part: EvaluationPart): string {
  return `${String(iteration).padStart(3, '0')}-${part}`;
}

/** @param candidate its number; 0 are the prompts in the agent's code */
export function heldOutName(candidate: number): string {
  return `${heldOutPrefix}${String(candidate).padStart(3, '0')}`;
}
