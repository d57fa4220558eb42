import { ArtError } from '@art/ground';
import type { StepRow } from '../steps/index.ts';
import type { Teacher } from '../teacher/teacher.ts';
import { isPossibleLogprob } from './captured-numbers.ts';
import { trainedTokens } from './to-step-row.ts';

/** A model that says how likely it finds what the policy said. */
export interface Scorer extends Teacher {
  /** For people. */
  name: string;
}

/**
 * Pays for being near another model, as part of the advantages: each trained token gets `coefficient · (mean(d) - d)`, with `d` by how much
 * likelier it was under the policy that sampled it than under the other. As tinker-cookbook does it.
 * @param names of the rows
 * @param scorer undefined: nothing is paid
 */
export async function addReverseKl(
  rows: readonly StepRow[],
  names: readonly string[],
  coefficient: number,
  scorer: Scorer | undefined,
  signal?: AbortSignal,
): Promise<{ rows: readonly StepRow[]; kl: number | undefined }> {
  const all = trainedTokens(rows);
  if (scorer === undefined || all === 0) return { rows, kl: undefined };
  const differences = await Promise.all(
    rows.map(async ({ tokens, targets, weights, logprobs }, row) => {
      const under = await scorer.logprobs([...tokens, ...targets.slice(-1)], signal);
      return weights.map((weight, at) => {
        if (weight === 0) return 0;
        const known = under[at + 1];
        // A logprob that is absent, null or without bound says nothing of the token: a 0 would be a certainty.
        if (isPossibleLogprob(known)) return logprobs![at]! - known;
        throw new ArtError({
          code: 'ART_TRAIN_NOT_FINITE',
          message: `Expected a logprob of the ${scorer.name} for token ${at} of row ${JSON.stringify(names[row])}, got ${String(known)}. Being near it cannot be measured without.`,
        });
      });
    }),
  );
  const kl = differences.flat().reduce((sum, difference) => sum + difference, 0) / all;
  const paid = rows.map((row, index) => ({
    ...row,
    advantages: row.advantages!.map((advantage, at) =>
      row.weights[at] === 0 ? advantage : advantage + coefficient * (kl - differences[index]![at]!),
    ),
  }));
  return { rows: paid, kl };
}

/** Weighs what comes of rewards. */
export function scaleAdvantages(rows: readonly StepRow[], factor: number): StepRow[] {
  return rows.map((row) => ({
    ...row,
    advantages: row.advantages?.map((advantage) => factor * advantage),
  }));
}
