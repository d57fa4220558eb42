import type { BatchItem } from '@art/client';
import type { ResultDocument, RewardProblem, RolloutOutcomeKind } from '@art/protocol';

/** What `art invoke` tells of a rollout; with `--json` this object, on one line. */
export interface InvokeReport {
  kind: RolloutOutcomeKind;
  /** Last of the document's `rewards`; null where there is none. */
  reward: number | null;
  /** Why an `ok` rollout has no reward; null in every other case. */
  rewardProblem: RewardProblem | null;
  sessionId: string | null;
  inputId: string | null;
  /** Null where nothing was sent. */
  invocationId: string | null;
  /** Null where the result comes from the session. */
  bucket: string | null;
  /** Null where nothing was sent, or nothing is stored. */
  resultKey: string | null;
  /** Milliseconds since the submission; null where it did not come so far. */
  timings: { acceptedMs: number | null; noticedMs: number | null; settledMs: number | null };
  /** Null where the outcome is `ok`. */
  error: { code: string; message: string } | null;
  /** The stored document; null where there is none that can be read. */
  document: ResultDocument | null;
}

export function invokeReport(item: BatchItem, bucket: string | undefined): InvokeReport {
  const { outcome, timings } = item;
  return {
    kind: outcome.kind,
    reward: outcome.kind === 'ok' ? (outcome.reward ?? null) : null,
    rewardProblem: outcome.kind === 'ok' ? (outcome.rewardProblem ?? null) : null,
    sessionId: item.sessionId,
    inputId: item.inputId,
    invocationId: item.invocationId ?? null,
    bucket: bucket ?? null,
    resultKey: item.resultKey ?? null,
    timings: {
      acceptedMs: timings.acceptedMs ?? null,
      noticedMs: timings.noticedMs ?? null,
      settledMs: timings.settledMs ?? null,
    },
    error: outcome.kind === 'ok' ? null : { code: outcome.error.code, message: outcome.error.message },
    document: 'document' in outcome ? outcome.document : null,
  };
}

/** Of a rollout that its caller ended before there was an outcome. */
export function cancelledReport(
  ids: { sessionId: string | null; inputId: string | null },
  bucket: string | undefined,
): InvokeReport {
  return {
    kind: 'cancelled',
    reward: null,
    rewardProblem: null,
    ...ids,
    invocationId: null,
    bucket: bucket ?? null,
    resultKey: null,
    timings: { acceptedMs: null, noticedMs: null, settledMs: null },
    error: { code: 'ART_ROLLOUT_CANCELLED', message: 'The rollout was cancelled by its caller.' },
    document: null,
  };
}
