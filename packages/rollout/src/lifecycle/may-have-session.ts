import { RuntimeError, type RolloutOutcome } from '@art/protocol';

/**
 * Whether a session may live on behind an outcome, for this process to stop: not where the request was certainly never
 * delivered, and not where another process has taken the run over.
 */
export function mayHaveSession(outcome: RolloutOutcome): boolean {
  if (outcome.kind === 'ok') return true;
  if (outcome.error.code === 'ART_JOURNAL_LOST') return false;
  if (!RuntimeError.isInstance(outcome.error)) return true;
  // A conflict says that a session of this id is being set up.
  return outcome.error.delivery !== 'never' || outcome.error.code === 'ART_RUNTIME_CONFLICT';
}
