import type { ObjectCommitOutcome, ObjectCondition } from './object-backend.ts';

/** Whether the condition holds for what is stored now. */
export function judgeCondition(
  condition: ObjectCondition,
  stored: { etag: string } | undefined,
): ObjectCommitOutcome {
  switch (condition.kind) {
    case 'always':
      return { kind: 'done' };
    case 'absent':
      return stored === undefined ? { kind: 'done' } : { kind: 'precondition-failed' };
    case 'matches':
      if (stored === undefined) return { kind: 'missing' };
      return condition.etag === '*' || condition.etag === stored.etag
        ? { kind: 'done' }
        : { kind: 'precondition-failed' };
  }
}
