import type { RolloutOutcome } from '@art/protocol';

/** Whether a rollout ended here only: another process has it, or will take it over, and its session works on. */
export function isLeftAlone(outcome: RolloutOutcome): boolean {
  if (outcome.kind !== 'cancelled') return false;
  const { code } = outcome.error;
  return code === 'ART_JOURNAL_LOST' || code === 'ART_ROLLOUT_DETACHED';
}
