import { rolloutOutcomeKinds } from '@art/protocol';
import type { ScriptedModelCounts } from '../scripted-model/start-scripted-model.ts';
import type { CaptureCounts } from './capture-counts.ts';
import type { EvaluationRecord } from './evaluation-record.ts';
import { formatDuration } from './format-duration.ts';
import { quantile } from './quantile.ts';
import { wilsonInterval } from './wilson-interval.ts';

export interface SummaryContext {
  /** How many problems there were to do. */
  total: number;
  elapsedMs: number;
  /** What the scripted model says about itself; undefined with a real model. */
  scripted: ({ errorRate: number } & ScriptedModelCounts) | undefined;
  captured: CaptureCounts;
}

/** The share of outcomes that an evaluation must have as `ok` to pass. */
const requiredOkShare = 0.95;

/** Whether enough rollouts ended well, whatever their rewards. */
export function isGoodEvaluation(records: readonly EvaluationRecord[], total: number): boolean {
  return records.filter(({ outcome }) => outcome === 'ok').length >= requiredOkShare * total;
}

/** The result of an evaluation as a text for people. */
export function evaluationSummary(records: readonly EvaluationRecord[], context: SummaryContext): string {
  const { total, elapsedMs } = context;
  const partial = records.length < total ? ` of ${total}` : '';
  const perSecond = elapsedMs > 0 ? records.length / (elapsedMs / 1_000) : 0;
  return [
    `${records.length}${partial} rollouts in ${formatDuration(elapsedMs)} (${perSecond.toFixed(1)}/s), each in a session of its own`,
    '',
    ...accuracyLines(records),
    ...scriptedLines(context.scripted),
    outcomeLine(records),
    captureLine(context.captured),
    ...failureLines(records),
    '',
    ...timingLines(records),
  ].join('\n');
}

function accuracyLines(records: readonly EvaluationRecord[]): string[] {
  const rewards = records.map(({ reward }) => reward).filter((reward) => reward !== null);
  const correct = rewards.filter((reward) => reward === 1).length;
  if (rewards.length === 0) return ['accuracy        unknown: no rollout has a reward'];
  const { low, high } = wilsonInterval(correct, rewards.length);
  return [
    `accuracy        ${percent(correct / rewards.length)} (${correct} of ${rewards.length}), 95 % interval ${percent(low)} to ${percent(high)}`,
  ];
}

function scriptedLines(scripted: SummaryContext['scripted']): string[] {
  if (scripted === undefined) return [];
  const { errorRate, answered, mistaken, gaveUp } = scripted;
  const lines = [
    `scripted model  expected accuracy ${percent(1 - errorRate)} (--error-rate ${errorRate}); it really made ${mistaken} mistakes in ${answered} answers`,
  ];
  if (gaveUp > 0) {
    lines.push(
      `                it could not solve ${gaveUp} problems: it knows generated ones only, use --base-url for others`,
    );
  }
  return lines;
}

function outcomeLine(records: readonly EvaluationRecord[]): string {
  const counts = rolloutOutcomeKinds
    .map((kind) => [kind, records.filter(({ outcome }) => outcome === kind).length] as const)
    .filter(([kind, count]) => count > 0 || kind === 'ok');
  return `outcomes        ${counts.map(([kind, count]) => `${kind} ${count}`).join(', ')}`;
}

function captureLine({ turns, sampledTokens, rows, trainedTokens }: CaptureCounts): string {
  const [sampled, trained] = [sampledTokens, trainedTokens].map((count) => count.toLocaleString('en-US'));
  return turns > 0 && sampledTokens === 0
    ? `captured        no tokens in ${turns} model calls: this model's server gives no token ids`
    : `captured        ${sampled} tokens in ${turns} model calls; ${trained} of them train, in ${rows} rows`;
}

/** The first failure of each kind: usually one reason stands for all of them. */
function failureLines(records: readonly EvaluationRecord[]): string[] {
  const first = new Map(
    records
      .filter(({ error }) => error !== null)
      .map((record) => [record.outcome, record] as const)
      .toReversed(),
  );
  return [...first.values()].map(
    ({ outcome, error, sessionId }) => `                ${outcome}, session ${sessionId}: ${error}`,
  );
}

function timingLines(records: readonly EvaluationRecord[]): string[] {
  const timing = (name: string, pick: (record: EvaluationRecord) => number | null) => {
    const values = records.map(pick).filter((value) => value !== null);
    const cells = [0.5, 0.99].map((fraction) => quantile(values, fraction));
    return row(name, ...cells.map((value) => (value === undefined ? '-' : formatDuration(value))));
  };
  return [
    row('', 'p50', 'p99'),
    timing('session start', (record) => record.sessionStartMs),
    timing('run time', (record) => record.runMs),
    timing('detection lag', (record) => record.detectionLagMs),
  ];
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(16) + cells.map((cell) => cell.padStart(12)).join('');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
