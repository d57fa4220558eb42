import type { StepRow, TrainingSteps, WeightsRef } from '../steps/index.ts';
import { trainedTokens } from './to-step-row.ts';

/**
 * Pays for staying near the base model, as part of the advantages: each trained token gets `coefficient · (mean(d) - d)`, with `d` by how much
 * likelier it was under the policy that sampled it than under the base model. As tinker-cookbook does it.
 * @param base weights that were saved before the first step; undefined: no penalty
 */
export async function addKlPenalty(
  rows: readonly StepRow[],
  coefficient: number,
  steps: Pick<TrainingSteps, 'logprobs'>,
  base: WeightsRef | undefined,
  signal?: AbortSignal,
): Promise<{ rows: readonly StepRow[]; klToBase: number | undefined }> {
  const all = trainedTokens(rows);
  if (base === undefined || all === 0) return { rows, klToBase: undefined };
  const differences = await Promise.all(
    rows.map(async ({ tokens, targets, weights, logprobs }) => {
      const under = await steps.logprobs([...tokens, ...targets.slice(-1)], base, signal);
      return weights.map((weight, at) => (weight === 0 ? 0 : logprobs![at]! - under[at + 1]!));
    }),
  );
  const mean = differences.flat().reduce((sum, difference) => sum + difference, 0) / all;
  const penalised = rows.map((row, index) => ({
    ...row,
    advantages: row.advantages!.map((advantage, at) =>
      row.weights[at] === 0 ? advantage : advantage + coefficient * (mean - differences[index]![at]!),
    ),
  }));
  return { rows: penalised, klToBase: mean };
}
