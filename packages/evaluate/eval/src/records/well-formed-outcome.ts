import { isJsonObject } from '@art/ground';
import type { AttemptRecord, ErrorRecord, OutcomeRecord } from '@art/rollout';

/**
 * What became of a rollout: a sample, a line of `art invoke`, or a member of a group. Runs come from other versions, other machines and other
 * people: what is missing or of another type is taken for unknown.
 */
export function wellFormedOutcome(record: Record<string, unknown>): OutcomeRecord {
  const timings = objectOf(record['timings']);
  const problem = objectOf(record['rewardProblem']);
  return {
    outcome: (textOf(record['outcome']) ?? 'unknown') as OutcomeRecord['outcome'],
    reward: numberOf(record['reward']),
    rewardProblem: isJsonObject(record['rewardProblem'])
      ? { kind: String(problem['kind']) as 'absent', message: textOf(problem['message']) ?? '' }
      : null,
    error: wellFormedError(record['error']),
    sessionId: textOf(record['sessionId']),
    invocationId: textOf(record['invocationId']),
    resultKey: textOf(record['resultKey']),
    submittedAtMs: numberOf(record['submittedAtMs']),
    timings: {
      acceptedMs: numberOf(timings['acceptedMs']),
      noticedMs: numberOf(timings['noticedMs']),
      settledMs: numberOf(timings['settledMs']),
      stoppedMs: numberOf(timings['stoppedMs']),
    },
    attempts: Array.isArray(record['attempts']) ? record['attempts'].map(attemptOf) : [],
  };
}

function attemptOf(value: unknown, at: number): AttemptRecord {
  const attempt = objectOf(value);
  return {
    attempt: at,
    outcome: (textOf(attempt['outcome']) ?? 'unknown') as AttemptRecord['outcome'],
    sessionId: textOf(attempt['sessionId']),
    resultKey: textOf(attempt['resultKey']),
    submittedAtMs: numberOf(attempt['submittedAtMs']),
    settledMs: numberOf(attempt['settledMs']),
    throttled: numberOf(attempt['throttled']) ?? 0,
    resent: numberOf(attempt['resent']) ?? 0,
    error: wellFormedError(attempt['error']),
  };
}

/** Null for what is no error. */
export function wellFormedError(value: unknown): ErrorRecord | null {
  if (!isJsonObject(value)) return null;
  return {
    code: textOf(value['code']) ?? 'unknown',
    message: textOf(value['message']) ?? '',
    stack: textOf(value['stack']),
  };
}

function objectOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
