import { RuntimeError, type RolloutOutcome, type RuntimeErrorCode } from '@art/protocol';

// A conflict says that a session of this id is being set up; one that did not start may hold its machine for a while.
const sessionCodes: readonly RuntimeErrorCode[] = ['ART_RUNTIME_CONFLICT', 'ART_RUNTIME_START_FAILED'];

/**
 * Whether a session may live on behind an outcome, for this process to stop: not where the request was certainly never
 * delivered, and not where another process has taken the run over, or will.
 */
export function mayHaveSession(outcome: RolloutOutcome): boolean {
  if (outcome.kind === 'ok') return true;
  if (isLeftAlone(outcome)) return false;
  if (!RuntimeError.isInstance(outcome.error)) return true;
  return outcome.error.delivery !== 'never' || sessionCodes.includes(outcome.error.code);
}

/** Whether a rollout ended here only: another process has it, or will take it over, and its session works on. */
export function isLeftAlone(outcome: RolloutOutcome): boolean {
  if (outcome.kind !== 'cancelled') return false;
  const { code } = outcome.error;
  return code === 'ART_JOURNAL_LOST' || code === 'ART_ROLLOUT_DETACHED';
}
