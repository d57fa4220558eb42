import type { BatchItem } from '@art/client';
import type { RolloutOutcomeKind } from '@art/protocol';
import type { Problem } from '../problems/problem.ts';

/** One line of the results file. Durations are in milliseconds; null where a rollout did not get that far. */
export interface EvaluationRecord {
  index: number;
  question: string;
  /** The right answer. */
  answer: string;
  outcome: RolloutOutcomeKind;
  reward: number | null;
  /** The agent's final text. */
  response: string | null;
  /** What went wrong. */
  error: string | null;
  /** The stable code of the error. */
  errorCode: string | null;
  inputId: string;
  sessionId: string;
  /** From the submission until the agent had accepted: the start of the session. */
  sessionStartMs: number | null;
  /** From there until the agent had its result. */
  runMs: number | null;
  /** From there until the client knew. */
  detectionLagMs: number | null;
  totalMs: number | null;
}

/** What a finished rollout leaves in the results file. */
export function evaluationRecord(item: BatchItem, problem: Problem): EvaluationRecord {
  const { outcome, timings } = item;
  const document = 'document' in outcome ? outcome.document : undefined;
  const response = document?.['response'];
  const finishedAtMs = document?.['finishedAtMs'];
  // Agent and client share the machine here, hence the clock; elsewhere clocks may differ by more than the lag.
  const finishedMs = typeof finishedAtMs === 'number' ? finishedAtMs - timings.submittedAtMs : undefined;
  return {
    index: item.index,
    question: problem.question,
    answer: problem.answer,
    outcome: outcome.kind,
    reward: outcome.kind === 'ok' ? (outcome.reward ?? null) : null,
    response: typeof response === 'string' ? response : null,
    error: 'error' in outcome ? outcome.error.message : null,
    errorCode: 'error' in outcome ? outcome.error.code : null,
    inputId: item.inputId,
    sessionId: item.sessionId,
    sessionStartMs: milliseconds(timings.acceptedMs),
    runMs: between(timings.acceptedMs, finishedMs),
    detectionLagMs: between(finishedMs, timings.noticedMs),
    totalMs: milliseconds(timings.settledMs),
  };
}

function between(fromMs: number | undefined, untilMs: number | undefined): number | null {
  if (fromMs === undefined || untilMs === undefined) return null;
  // The one is read from a monotonic clock and the other from a wall clock of whole milliseconds.
  return milliseconds(Math.max(0, untilMs - fromMs));
}

function milliseconds(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(value * 10) / 10;
}
