import { inspect } from 'node:util';
import type { Paint } from '../terminal/paint.ts';
import type { InvokeReport } from './invoke-report.ts';

/** Token ids and log-probabilities come by the thousand; a terminal is for looking, `--json` for everything. */
const shown = { depth: 8, maxArrayLength: 24, maxStringLength: 4_000, breakLength: 100 } as const;

/** A report as people read it. The payload that the document echoes is left out. */
export function formatInvokeReport(report: InvokeReport, paint: Paint, colours: boolean): string {
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
    ['accepted', timings.acceptedMs === null ? null : `after ${seconds(timings.acceptedMs)}`],
    ['noticed', timings.noticedMs === null ? null : `after ${seconds(timings.noticedMs)}`],
  ];
  return [
    headline.join('  '),
    ...facts.flatMap(([name, value]) => (value === null ? [] : [`  ${name.padEnd(12)}${value}`])),
    ...(document === null ? [] : [inspect(ownFields, { ...shown, colors: colours })]),
    '',
  ].join('\n');
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
