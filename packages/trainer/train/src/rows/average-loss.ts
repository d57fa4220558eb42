import type { StepRow } from '../steps/index.ts';
import { trainedTokens } from './to-step-row.ts';

/**
 * The mean that is the loss of a step. `token`: the mean of all trained tokens, so a rollout that wrote more, or has
 * more rows, weighs more. `sequence`: the mean of all rows, each being the mean of its tokens.
 */
export type LossAverage = 'token' | 'sequence';

/**
 * Scales rows so that the sum over them, which is what a service computes, is a mean over the step: however it is cut into requests. The
 * losses are linear in the advantages, so no weight of a clipped loss is touched.
 */
export function averageLoss(rows: readonly StepRow[], average: LossAverage): StepRow[] {
  const all = trainedTokens(rows);
  const trained = rows.filter((row) => trainedTokens([row]) > 0).length;
  return rows.map((row) => {
    const own = trainedTokens([row]);
    if (own === 0) return row;
    const factor = average === 'token' ? 1 / all : 1 / (trained * own);
    return { ...row, advantages: row.advantages?.map((advantage) => advantage * factor) };
  });
}
