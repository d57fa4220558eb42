import { clientTitles } from '../clients/client-kind.ts';
import type { RunMetrics } from '../measure/run-metrics.ts';
import { linearAxis, logAxis } from '@art/tooling/axis';
import { lineChart } from '@art/tooling/line-chart';

const shortestMs = 10;

/** The share of results that each client had noticed within a time; undefined without results. */
export function lagPlot(title: string, runs: readonly RunMetrics[]): string | undefined {
  const shown = runs.filter((run) => run.lag !== undefined && run.client !== 'bare_sdk');
  if (shown.length === 0) return undefined;
  const longestMs = Math.max(...shown.map((run) => run.lag!.max));
  return lineChart({
    title: `${title}: how soon a stored result is noticed`,
    x: logAxis(
      'detection lag in seconds (logarithmic)',
      { min: shortestMs, max: longestMs },
      (ms) => `${ms / 1_000}`,
    ),
    y: linearAxis('share of results', 1, (share) => `${Math.round(share * 100)} %`),
    series: shown.map((run) => ({
      name: nameOf(run),
      points: run.lagQuantiles.map((ms, step) => [ms, step / (run.lagQuantiles.length - 1)] as const),
    })),
  });
}

/** A client, and how many rollouts it had where that was not all. */
export function nameOf(run: RunMetrics, of?: number): string {
  const isReduced = of !== undefined && run.rollouts !== of;
  return `${clientTitles[run.client]}${isReduced ? ` (${run.rollouts})` : ''}`;
}
