import { lineChart } from '@art/tooling/line-chart';
import { linearAxis } from '@art/tooling/axis';
import { type StepRecord, trendOf } from './step-record.ts';

/** Rewards over steps as an SVG document: the mean of ten of each run. */
export function learningCurve(title: string, runs: ReadonlyMap<string, readonly StepRecord[]>): string {
  const steps = Math.max(1, ...[...runs.values()].map((records) => records.length));
  return lineChart({
    title,
    x: linearAxis('updates of the policy', steps),
    y: linearAxis('reward, mean of ten steps', 1),
    series: [...runs].map(([name, records]) => ({
      name,
      points: trendOf(records).map((mean, before) => [before + 1, mean] as const),
    })),
  });
}
