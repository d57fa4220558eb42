import { inspect } from 'node:util';
import type { BatchItem } from '@art/client';
import {
  ArtError,
  type ResultDocument,
  type RewardProblem,
  type RolloutOutcome,
  type RolloutOutcomeKind,
} from '@art/protocol';
import type { Paint } from '../terminal/paint.ts';

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
  /** What the gateway captured; only with one. */
  captured?: Captured;
  /** The stored document; null where there is none that can be read. */
  document: ResultDocument | null;
}

export interface Captured {
  /** Answers of the model; null where the rollout failed, so that its capture was dropped. */
  turns: number | null;
  /** Rows to train on. */
  rows: number;
  sampledTokens: number | null;
  trainedTokens: number | null;
}

export function capturedIn({ rows, summary }: Awaited<ReturnType<BatchItem['trajectory']>>): Captured {
  const { turns = null, sampledTokens = null, trainedTokens = null } = summary ?? {};
  return { turns, rows: rows.length, sampledTokens, trainedTokens };
}

type Reported = Pick<BatchItem, 'outcome'> & {
  timings: Partial<BatchItem['timings']>;
  invocationId?: string | undefined;
  resultKey?: string | undefined;
  sessionId: string | null;
  inputId: string | null;
};

export function invokeReport(item: Reported, bucket: string | undefined): InvokeReport {
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
    ...whatCame(outcome),
  };
}

/** What an outcome has beside its kind: an error, a document, or both. */
export function whatCame(outcome: RolloutOutcome): Pick<InvokeReport, 'error' | 'document'> {
  return {
    error: outcome.kind === 'ok' ? null : { code: outcome.error.code, message: outcome.error.message },
    document: 'document' in outcome ? outcome.document : null,
  };
}

/** Of a rollout that its caller ended before there was an outcome. */
export function cancelledReport(
  ids: Pick<Reported, 'sessionId' | 'inputId'>,
  bucket: string | undefined,
): InvokeReport {
  const message = 'The rollout was cancelled by its caller.';
  const error = new ArtError({ code: 'ART_ROLLOUT_CANCELLED', message });
  return invokeReport({ ...ids, outcome: { kind: 'cancelled', error }, timings: {} }, bucket);
}

/** Token ids and log-probabilities come by the thousand; a terminal is for looking, `--json` for everything. */
const shown = {
  depth: 8,
  maxArrayLength: 24,
  maxStringLength: 4_000,
  breakLength: 100,
  colors: true,
} as const;

/** A report as people read it. The payload that the document echoes is left out. */
export function formatInvokeReport(report: InvokeReport, paint: Paint): string {
  const { kind, reward, timings, error, document } = report;
  const { payload: _, ...ownFields } = document ?? {};
  const headline = [
    paint(kind === 'ok' ? ['green', 'bold'] : ['red', 'bold'], kind),
    kind !== 'ok' ? '' : reward === null ? 'no reward' : `reward ${reward}`,
    timings.settledMs === null ? '' : `in ${seconds(timings.settledMs)}`,
  ].filter((part) => part !== '');
  const facts: [string, string | null][] = [
    ['error', error === null ? null : `${error.code}: ${error.message}`],
    ['no reward', report.rewardProblem?.message ?? null],
    ['session', report.sessionId],
    ['input', report.inputId],
    ['invocation', report.invocationId],
    ['result', report.resultKey === null ? null : `s3://${report.bucket}/${report.resultKey}`],
    ['captured', report.captured === undefined ? null : describeCaptured(report.captured)],
    ['accepted', timings.acceptedMs === null ? null : `after ${seconds(timings.acceptedMs)}`],
    ['noticed', timings.noticedMs === null ? null : `after ${seconds(timings.noticedMs)}`],
  ];
  return [
    headline.join('  '),
    ...facts.flatMap(([name, value]) => (value === null ? [] : [`  ${name.padEnd(12)}${value}`])),
    ...(document === null ? [] : [inspect(ownFields, shown)]),
    '',
  ].join('\n');
}

function describeCaptured({ turns, rows, sampledTokens, trainedTokens }: Captured): string {
  if (turns === null) return 'nothing: what a failed rollout said is dropped';
  return `${turns} turns, ${rows} rows, ${trainedTokens} of ${sampledTokens} tokens train`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
