import type { JsonObject } from '@art/ground';
import { formatScore } from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';

/** Figures of `results.json` beyond what the page sees of a run's samples. Read tolerantly: other versions write it too. */
export interface RunResults {
  /** "0.6 to 1", between which lost samples leave the mean open; undefined where they do not. */
  openMean: string | undefined;
  /** "0.71 to 0.84 (wilson-clustered)"; undefined without an interval. */
  meanInterval: string | undefined;
  /** Latency of the samples that count. */
  latency: { median?: number; p95?: number };
  /** Such as `pass@1`, with its value and interval. */
  passes: NamedFigure[];
  /** Intervals of the means of tags: "0.12 to 0.60". */
  tagIntervals: ReadonlyMap<string, string>;
  /** Means of the numbers that stand beside the reward, by name. */
  metrics: NamedFigure[];
  /** Why the mean is not to be trusted; undefined where it is. */
  distrust: string | undefined;
}

interface NamedFigure {
  name: string;
  value: string;
  interval: string | undefined;
}

export function readRunResults(results: JsonObject | null): RunResults {
  const mean = objectOf(results?.['mean']);
  const excluded = objectOf(results?.['excluded']);
  return {
    openMean: openValue(mean),
    meanInterval: intervalOf(mean),
    latency: objectOf(results?.['latencyMs']),
    passes: [...passesOf(results?.['passAt'], 'pass@'), ...passesOf(results?.['passPower'], 'pass^')],
    tagIntervals: tagIntervalsOf(results?.['byTag']),
    metrics: metricsOf(results?.['metrics']),
    distrust:
      excluded['isTrusted'] === false && typeof excluded['count'] === 'number'
        ? `${excluded['count']} samples could not be judged, which is more than the run allows. Do not trust its mean.`
        : undefined,
  };
}

function passesOf(value: unknown, prefix: string): RunResults['passes'] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    const estimate = objectOf(entry);
    const { k, value: share } = estimate;
    // One of one and all of one are the same.
    if (typeof k !== 'number' || typeof share !== 'number' || (k === 1 && prefix === 'pass^')) return [];
    return [
      {
        name: `${prefix}${k}`,
        value: openValue(estimate) ?? formatScore(share),
        interval: intervalOf(estimate),
      },
    ];
  });
}

function tagIntervalsOf(value: unknown): Map<string, string> {
  const tags: unknown[] = Array.isArray(value) ? value : [];
  return new Map(
    tags.flatMap((entry) => {
      const { tag, mean } = objectOf(entry);
      const { low, high } = objectOf(mean);
      if (typeof tag !== 'string' || typeof low !== 'number' || typeof high !== 'number') return [];
      return [[tag, `${formatScore(low)} to ${formatScore(high)}`] as const];
    }),
  );
}

function metricsOf(value: unknown): NamedFigure[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    const estimate = objectOf(entry);
    const { name, value: mean } = estimate;
    if (typeof name !== 'string' || typeof mean !== 'number') return [];
    return [{ name: oneLine(name), value: formatScore(mean), interval: intervalOf(estimate) }];
  });
}

function openValue({ bounds }: Record<string, unknown>): string | undefined {
  const { low, high } = objectOf(bounds);
  if (typeof low !== 'number' || typeof high !== 'number') return undefined;
  return `${formatScore(low)} to ${formatScore(high)}`;
}

function intervalOf({ low, high, method, bounds }: Record<string, unknown>): string | undefined {
  const { tasks } = objectOf(bounds);
  if (typeof tasks === 'number') return `${tasks} tasks have lost samples, which failed or passed`;
  // An infinite bound is a text in JSON, and no interval.
  if (typeof low !== 'number' || typeof high !== 'number') return undefined;
  const named = typeof method === 'string' ? ` (${method})` : '';
  return `95 %: ${formatScore(low)} to ${formatScore(high)}${named}`;
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
