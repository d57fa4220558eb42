import { RuntimeError, type RolloutOutcome, type RuntimeErrorCode } from '@art/protocol';
import { isLeftAlone } from './is-left-alone.ts';

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
