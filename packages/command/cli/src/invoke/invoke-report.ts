import type { OutcomeRecord } from '@art/trajectories';
import { inspect } from 'node:util';
import { outcomeRecord, type BatchItem } from '@art/client';
import { ArtError } from '@art/ground';
import { type ResultDocument } from '@art/protocol';
import type { Paint } from '../terminal/paint.ts';
import { documentOf } from './result-record.ts';

/** Report of `art invoke` about a rollout; with `--json` this object, on one line. */
export interface InvokeReport extends OutcomeRecord {
  inputId: string | null;
  /** Null where the result comes from the session. */
  bucket: string | null;
  /** Figures that the gateway captured; only with one. */
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

export function invokeReport(item: BatchItem, bucket: string | undefined): InvokeReport {
  const { inputId, outcome, attempts } = item;
  const record = outcomeRecord(item, attempts);
  return { inputId, ...record, bucket: bucket ?? null, document: documentOf(outcome) };
}

/** Report of a rollout that its caller ended before there was an outcome. */
export function cancelledReport(
  { sessionId, inputId }: Pick<InvokeReport, 'sessionId' | 'inputId'>,
  bucket: string | undefined,
): InvokeReport {
  const message = 'The rollout was cancelled by its caller.';
  const error = new ArtError({ code: 'ART_ROLLOUT_CANCELLED', message });
  const record = outcomeRecord({ sessionId: sessionId ?? '', outcome: { kind: 'cancelled', error } }, []);
  return { inputId, ...record, bucket: bucket ?? null, document: null };
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
  const { outcome, reward, timings, error, document } = report;
  const { payload: _, ...ownFields } = document ?? {};
  const headline = [
    paint(outcome === 'ok' ? ['green', 'bold'] : ['red', 'bold'], outcome),
    outcome !== 'ok' ? '' : reward === null ? 'no reward' : `reward ${reward}`,
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
