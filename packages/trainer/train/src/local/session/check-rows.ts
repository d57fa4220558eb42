import { ArtError } from '@art/ground';
import type { Loss, StepRow } from '../../steps/index.ts';
import type { PolicyShape } from '../model/policy-shape.ts';

/** @throws ArtError `ART_TRAIN_BAD_ROWS` that names the first row that cannot be trained on, and why */
export function checkRows(rows: readonly StepRow[], loss: Loss, shape: PolicyShape): void {
  for (const [index, row] of rows.entries()) {
    const problem = problemOf(row, loss, shape);
    if (problem === undefined) continue;
    throw new ArtError({ code: 'ART_TRAIN_BAD_ROWS', message: `Row ${index}: ${problem}.` });
  }
}

function problemOf(
  row: StepRow,
  loss: Loss,
  { vocabularySize, maxContext }: PolicyShape,
): string | undefined {
  const { length } = row.tokens;
  if (length === 0) return 'expected at least one token, got none';
  if (length > maxContext) return `expected at most ${maxContext} tokens, got ${length}`;
  const isToken = (id: number): boolean => Number.isInteger(id) && id >= 0 && id < vocabularySize;
  const strange = [...row.tokens, ...row.targets].find((id) => !isToken(id));
  if (strange !== undefined)
    return `expected token ids from 0 to ${vocabularySize - 1}, got ${strange}; were they made by another tokenizer?`;
  const needed = loss.name === 'cross_entropy' ? [] : (['logprobs', 'advantages'] as const);
  for (const name of ['targets', 'weights', ...needed] as const) {
    const values = row[name];
    if (values === undefined) return `expected ${name} for ${loss.name}, got none`;
    if (values.length !== length)
      return `expected ${name} to have the length of the tokens, ${length}, got ${values.length}`;
    if (!values.every(Number.isFinite)) return `expected ${name} to be finite numbers`;
  }
  return undefined;
}
