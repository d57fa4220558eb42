import { ArtError } from '@art/ground';
import type { StepRow, TrainingSteps, WeightsRef } from '../steps/index.ts';
import { trainedTokens } from './to-step-row.ts';

/**
 * Pays for staying near the base model, as part of the advantages: each trained token gets `coefficient · (mean(d) - d)`, with `d` by how much
 * likelier it was under the policy that sampled it than under the base model. As tinker-cookbook does it.
 * @param names of the rows
 * @param base weights that were saved before the first step; undefined: no penalty
 */
export async function addKlPenalty(
  rows: readonly StepRow[],
  names: readonly string[],
  coefficient: number,
  steps: Pick<TrainingSteps, 'logprobs'>,
  base: WeightsRef | undefined,
  signal?: AbortSignal,
): Promise<{ rows: readonly StepRow[]; klToBase: number | undefined }> {
  const all = trainedTokens(rows);
  if (base === undefined || all === 0) return { rows, klToBase: undefined };
  const differences = await Promise.all(
    rows.map(async ({ tokens, targets, weights, logprobs }, row) => {
      const under = await steps.logprobs([...tokens, ...targets.slice(-1)], base, signal);
      return weights.map((weight, at) =>
        weight === 0
          ? 0
          : logprobs![at]! - known(under[at + 1], `token ${at} of row ${JSON.stringify(names[row])}`),
      );
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

/** A logprob that is absent, null or without bound says nothing of the token: a 0 would be a certainty. */
function known(logprob: number | null | undefined, what: string): number {
  if (typeof logprob === 'number' && Number.isFinite(logprob)) return logprob;
  throw new ArtError({
    code: 'ART_TRAIN_NOT_FINITE',
    message: `Expected a logprob of the base model for ${what}, got ${String(logprob)}. Staying near the base model cannot be measured without it.`,
  });
}
