import type { LiveSample } from '@art/eval/records';
import type { SampleRow } from '../../report/sample-row.ts';

/** Values over time, times in milliseconds since the run began. */
export interface Curve {
  xs: number[];
  ys: number[];
}

/** More points than a screen has pixels show nothing more. */
const mostPoints = 800;

/** When the first session was submitted; undefined before. */
export function runStartMs(rows: readonly SampleRow[]): number | undefined {
  let start: number | undefined;
  for (const { attempts, submittedAtMs } of rows) {
    const first = attempts[0]?.submittedAtMs ?? submittedAtMs;
    if (first !== null && (start === undefined || first < start)) start = first;
  }
  return start;
}

/** The mean score of what was recorded until then. */
export function meanSoFar(rows: readonly SampleRow[], startMs: number): Curve {
  const scored = rows
    .filter(({ score }) => score !== null)
    .toSorted((a, b) => a.recordedAtMs - b.recordedAtMs);
  const curve: Curve = { xs: [], ys: [] };
  let sum = 0;
  for (const [at, { score, recordedAtMs }] of scored.entries()) {
    sum += score!;
    curve.xs.push(recordedAtMs - startMs);
    curve.ys.push(sum / (at + 1));
  }
  return thinned(curve);
}

/**
 * How many sessions were at work, attempts that failed among them.
 * @param now of a run that continues: the samples under way, as far as they are told, and how many there are at that time
 */
export function sessionsAtWork(
  rows: readonly SampleRow[],
  startMs: number,
  now?: { live: readonly Pick<LiveSample, 'submittedAtMs'>[]; atWork: number; atMs: number },
): Curve {
  const changes: { atMs: number; by: 1 | -1 }[] = [];
  for (const { attempts } of rows) {
    for (const { submittedAtMs, settledMs } of attempts) {
      if (submittedAtMs === null || settledMs === null) continue;
      changes.push(
        { atMs: submittedAtMs - startMs, by: 1 },
        { atMs: submittedAtMs + settledMs - startMs, by: -1 },
      );
    }
  }
  for (const { submittedAtMs } of now?.live ?? []) changes.push({ atMs: submittedAtMs - startMs, by: 1 });
  changes.sort((a, b) => a.atMs - b.atMs);
  const curve: Curve = { xs: [], ys: [] };
  let count = 0;
  for (const { atMs, by } of changes) {
    count += by;
    if (curve.xs.at(-1) === atMs) curve.ys[curve.ys.length - 1] = count;
    else {
      curve.xs.push(atMs);
      curve.ys.push(count);
    }
  }
  if (now !== undefined) {
    curve.xs.push(Math.max(now.atMs - startMs, curve.xs.at(-1) ?? 0));
    curve.ys.push(now.atWork);
  }
  return thinned(curve);
}

/** Keeps of each stretch its last point, and the first and the last of all. */
function thinned({ xs, ys }: Curve): Curve {
  if (xs.length <= mostPoints) return { xs, ys };
  const start = xs[0]!;
  const stretch = (xs.at(-1)! - start) / mostPoints;
  const thin: Curve = { xs: [], ys: [] };
  for (let at = 0; at < xs.length; at += 1) {
    const isLastOfStretch =
      at + 1 === xs.length ||
      Math.floor((xs[at + 1]! - start) / stretch) > Math.floor((xs[at]! - start) / stretch);
    if (at > 0 && !isLastOfStretch) continue;
    thin.xs.push(xs[at]!);
    thin.ys.push(ys[at]!);
  }
  return thin;
}
