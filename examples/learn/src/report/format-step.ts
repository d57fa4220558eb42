import type { StepRecord } from './step-record.ts';

/** A step as a line of the terminal. */
export function formatStep(record: StepRecord): string {
  const { step, reward, meanOfTen, rows, withoutRows, rolloutMs, updateMs } = record;
  const mean = meanOfTen === undefined ? '     ' : meanOfTen.toFixed(3);
  const lost = withoutRows === 0 ? '' : `  ${withoutRows} rollouts without rows`;
  return [
    `step ${String(step).padStart(3)}`,
    `reward ${reward.toFixed(3)}`,
    `mean of ten ${mean}`,
    `rows ${String(rows).padStart(3)}`,
    `rollouts ${seconds(rolloutMs)}, update ${seconds(updateMs)}${lost}`,
  ].join('   ');
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
