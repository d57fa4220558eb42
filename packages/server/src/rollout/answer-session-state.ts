import { formatSessionState, parseSessionStateQuestion } from '@art/protocol';
import type { AttemptLedger } from './attempt-ledger.ts';
import { asRefusal } from './rollout-refusal.ts';

/**
 * The answer to a state question, as text; undefined where the payload is none. Starts nothing, whatever the question says.
 * @throws RequestRefusal 400 for a question that does not say what it asks for
 */
export function answerSessionState(payload: unknown, attempts: AttemptLedger): string | undefined {
  const question = asRefusal(() => parseSessionStateQuestion(payload), {});
  if (question === undefined) return undefined;
  return formatSessionState({ state: attempts.stateOf(question), attemptId: question.attemptId });
}
