import { ArtError } from '@art/ground';
import { isSameFigure } from '@art/ground/figures';
import type { TrainingRow } from './training-row.ts';

/**
 * Makes sure that a trainer which takes one advantage, or one reward, for a whole rollout is not given rows whose turns have advantages of
 * their own.
 * @throws ArtError `ART_INVALID_TRAINING_ROW`
 */
export function refuseTurnCredit(rows: readonly TrainingRow[], trainer: string): void {
  const advantages = new Map<string, number>();
  for (const row of rows) {
    for (const [token, advantage] of (row.advantages ?? []).entries()) {
      if (row.loss_mask[token] !== 1) continue;
      const other = advantages.get(row.rollout_id);
      if (other !== undefined && !isSameFigure(other, advantage))
        throw new ArtError({
          code: 'ART_INVALID_TRAINING_ROW',
          message: `Expected one advantage for all tokens of rollout ${JSON.stringify(row.rollout_id)}, since ${trainer} cannot carry one by turn, got ${other} and ${advantage}. Leave credit: 'turn' out, or train with prime-rl, tinker or rows of your own.`,
        });
      advantages.set(row.rollout_id, advantage);
    }
  }
}
