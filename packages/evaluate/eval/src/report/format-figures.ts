import type { Estimate, PassEstimate, ResultsRecord } from '../records/results-record.ts';
import type { ThresholdCheck } from '../results/thresholds.ts';

type Interval = Pick<PassEstimate, 'value' | 'bounds'> & { low: number | null; high: number | null };

/** `0.734 [0.651, 0.806]`; of a figure that lost samples leave open `0.600 to 1.000`. */
export function formatEstimate({ value, low, high, bounds: open }: Interval): string {
  if (open != null) return `${figure(open.low)} to ${figure(open.high)}`;
  const isBounded = Number.isFinite(low) && Number.isFinite(high);
  return isBounded ? `${figure(value)} [${figure(low!)}, ${figure(high!)}]` : figure(value);
}

/** The text of what a threshold is held against: the figure with its interval, or with the lower end that had to reach it. */
export function gotText({ estimate, low, problem }: ThresholdCheck): string {
  if (estimate === null) return 'no figure';
  const got =
    low === null
      ? formatEstimate(estimate)
      : `${figure(estimate.value)}, at least ${figure(low)} with 97.5 %`;
  return problem === null ? got : `${got}. ${problem}`;
}

/** `0.734` */
export function figure(value: number): string {
  return value.toFixed(3);
}

/** `950 ms`, `12.5 s`, `3.1 min` */
export function formatMs(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}

/** `1234.50`, `0.00340`: two decimals, of less than 1 three digits that count; `0` for nothing. */
export function formatCost(cost: number): string {
  return cost === 0 ? '0' : cost < 1 ? cost.toPrecision(3) : cost.toFixed(2);
}

/** `0.0123`, `< 0.0001` */
export function formatP(pValue: number): string {
  return pValue < 0.0001 ? '< 0.0001' : pValue.toFixed(4);
}

/** How an interval was computed, in words. */
export const methodNames: Record<Estimate['method'], string> = {
  wilson: 'Wilson',
  'wilson-clustered': 'Wilson, clustered by task',
  t: "Student's t over tasks",
  unseen: 'all tasks agree; others may be unseen',
  none: 'no interval: nothing is known of the spread',
};

/** `38 ok, 2 agent_error` */
export function outcomesText(outcomes: ResultsRecord['outcomes']): string {
  return Object.entries(outcomes)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}
