import { ArtError } from '@art/ground';
import type { PassResult, StepResult, StepRow } from '../steps/index.ts';

/**
 * Checks the logprobs of a pass: one that is no number comes of weights that are none, or of a row that breaks them.
 * @param names of the rows
 * @throws ArtError `ART_TRAIN_NOT_FINITE`
 */
export function checkPassNumbers(
  names: readonly string[],
  rows: readonly StepRow[],
  { logprobs }: PassResult,
  step: number,
): void {
  for (const [index, { weights }] of rows.entries()) {
    const at = logprobs?.[index]?.findIndex(
      (logprob, place) => weights[place] !== 0 && !Number.isFinite(logprob),
    );
    if (at === undefined || at < 0) continue;
    throw notFinite(
      `the logprob of token ${at} of row ${JSON.stringify(names[index])}: ${logprobs![index]![at]}`,
      step,
    );
  }
}

/**
 * Checks the norms that a step tells. The row that weighs most is named: its advantages times the ratio of its tokens.
 * @throws ArtError `ART_TRAIN_NOT_FINITE`
 */
export function checkStepNumbers(
  names: readonly string[],
  rows: readonly StepRow[],
  { logprobs }: PassResult,
  { metrics }: StepResult,
  step: number,
): void {
  const wrong = Object.entries(metrics).find(([name, value]) => isOfWeights(name) && !Number.isFinite(value));
  if (wrong === undefined) return;
  const sizes = rows.map((row, index) => sizeOf(row, logprobs?.[index]));
  const largest = sizes.reduce((best, size, at) => (size > sizes[best]! ? at : best), 0);
  throw notFinite(
    `${wrong[0]}: ${wrong[1]}. The row that weighs most is ${JSON.stringify(names[largest])}`,
    step,
  );
}

function isOfWeights(name: string): boolean {
  return name.endsWith('grad_norm') || name.endsWith('weight_norm') || name.endsWith('param_norm');
}

function sizeOf(
  { weights, logprobs: sampled, advantages }: StepRow,
  trained: readonly number[] | undefined,
): number {
  return weights.reduce((most, weight, at) => {
    const ratio = trained === undefined || sampled === undefined ? 1 : Math.exp(trained[at]! - sampled[at]!);
    return weight === 0 ? most : Math.max(most, Math.abs(weight * (advantages?.[at] ?? 1) * ratio));
  }, 0);
}

function notFinite(what: string, step: number): ArtError {
  return new ArtError({
    code: 'ART_TRAIN_NOT_FINITE',
    message: `Expected finite numbers in step ${step}, got one that is not, ${what}. The weights of this step are not served. Start again from the last checkpoint, with a lower learning rate or a cut gradient.`,
  });
}
