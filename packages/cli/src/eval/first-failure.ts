import type { SampleRecord } from '@art/eval/records';
import type { FirstOfKind } from '../terminal/first-of-kind.ts';

/** What to tell of a sample that is the first of its kind to fail, or to go without a reward. */
export function firstFailure(
  first: FirstOfKind,
  { id, outcome, error, judgeError, sessionId }: SampleRecord,
): string | undefined {
  if (error !== null) return first.of(outcome, error, id, sessionId);
  return judgeError === null ? undefined : first.of('unjudged sample', judgeError, id, sessionId);
}
