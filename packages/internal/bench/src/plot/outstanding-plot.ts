import type { RunMetrics } from '../measure/run-metrics.ts';
import { linearAxis } from '@art/tooling/axis';
import { nameOf } from './lag-plot.ts';
import { lineChart } from '@art/tooling/line-chart';

/** How many rollouts each client had outstanding, over time. */
export function outstandingPlot(title: string, runs: readonly RunMetrics[]): string | undefined {
  const shown = runs.filter((run) => run.outstanding.length > 0 && run.client !== 'bare_sdk');
  if (shown.length === 0) return undefined;
  const points = shown.flatMap((run) => run.outstanding);
  const longestMs = points.reduce((most, { atMs }) => Math.max(most, atMs), 0);
  const highest = points.reduce((most, { outstanding }) => Math.max(most, outstanding), 0);
  const inSeconds = longestMs / 1_000;
  return lineChart({
    title: `${title}: rollouts outstanding`,
    x: linearAxis('seconds since the first invocation', inSeconds),
    y: linearAxis('submitted and not yet fetched', highest),
    series: shown.map((run) => ({
      name: nameOf(run, Math.max(...shown.map(({ rollouts }) => rollouts))),
      points: run.outstanding.map(({ atMs, outstanding }) => [atMs / 1_000, outstanding] as const),
    })),
  });
}
