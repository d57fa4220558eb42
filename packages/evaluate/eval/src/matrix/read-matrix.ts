import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ArtError, readMember } from '@art/ground';
import { compareRuns, type Comparison } from '../compare/compare-runs.ts';
import { isGoalOfBoth } from '../goal/goal.ts';
import { readResults, type ResultsRecord } from '../records/results-record.ts';
import { runPath } from '../records/run-folder.ts';
import { readRunRecord, type RunRecord } from '../records/run-record.ts';
import { summarize } from '../results/summarize.ts';
import { readScores } from '../results/task-scores.ts';
import { holm } from '../statistics/holm.ts';

/** A run of a matrix. */
export interface MatrixCell {
  /** Its folder in that of the matrix. */
  name: string;
  record: RunRecord;
  results: ResultsRecord;
  /** The comparison with the baseline; null for the baseline itself. */
  comparison: Pick<Comparison, 'difference' | 'doubts'> | null;
  /** The p of the comparison, adjusted by Holm for all of them; null without a difference that can be relied on, and where `results.goal` answers. */
  pHolm: number | null;
  direction: Comparison['direction'] | null;
}

/** True for a run that was asked beside the baseline: its goal answers, and p would be of a number of tasks that was chosen by what they showed. */
function isAnswered(goal: ResultsRecord['goal']): boolean {
  return goal !== null && isGoalOfBoth(goal.goal);
}

/** Names of all cells that the runs of a matrix know of, those that are missing included; none where they are of no matrix. */
export function wantedNames(runs: readonly Pick<MatrixCell, 'record'>[]): string[] {
  const noted = runs.flatMap(({ record }) => readMember(record.options['matrix'], 'cells'));
  return [...new Set(noted.filter((name) => typeof name === 'string'))];
}

/**
 * Reads all runs in a folder, each one compared with the baseline, in the order in which they were asked for, and then began.
 * @param baseline name of a run in the folder @default the noted one, or the first
 * @param comparisons that there are to be in all @default one for each cell that is there or noted
 * @throws ArtError `ART_INVALID_OPTION` where there is no run, or none of that name
 */
export async function readMatrix(
  folder: string,
  { baseline, comparisons }: { baseline?: string | undefined; comparisons?: number | undefined } = {},
): Promise<MatrixCell[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => existsSync(runPath(join(folder, name), 'run')))
      .map(async (name) => ({ name, record: await readRunRecord(join(folder, name)) })),
  );
  const begun = found.toSorted((one, other) => one.record.createdAtMs - other.record.createdAtMs);
  const wanted = wantedNames(begun);
  const placeOf = (name: string): number => (wanted.includes(name) ? wanted.indexOf(name) : wanted.length);
  const runs = begun.toSorted((one, other) => placeOf(one.name) - placeOf(other.name));
  const least = comparisons ?? wanted.length - 1;
  const noted = runs.map(({ record }) => readMember(record.options['matrix'], 'baseline'));
  const first =
    runs.find(({ name }) => name === baseline) ??
    (baseline === undefined ? (runs.find(({ name }) => noted.includes(name)) ?? runs[0]) : undefined);
  if (first === undefined)
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected the folder of a matrix with ${baseline === undefined ? 'runs' : `a run ${baseline}`} in it, got ${folder} with ${names.join(', ') || 'nothing'}.`,
    });
  const cells = await Promise.all(
    runs.map(async ({ name, record }): Promise<MatrixCell> => {
      const path = join(folder, name);
      const goal = (await readResults(path))?.goal ?? null;
      const results = { ...summarize(record, await readScores(path), record.maxFailures), goal };
      const comparison =
        name === first.name
          ? null
          : await compareRuns({ baseline: join(folder, first.name), candidate: path });
      return { name, record, results, comparison, pHolm: null, direction: null };
    }),
  );
  const sound = cells.filter(
    ({ comparison, results: { goal } }) =>
      comparison?.difference && comparison.doubts.length === 0 && !isAnswered(goal),
  );
  const pValues = sound.map(({ comparison }) => comparison!.difference!.pValue);
  // What is missing counts, so that no p is smaller now than it will be then.
  const missing = Math.max(0, Math.max(least, cells.length - 1) - sound.length);
  const adjusted = holm([...pValues, ...Array<number>(missing).fill(1)]);
  for (const [at, cell] of sound.entries()) {
    cell.pHolm = adjusted[at]!;
    const { value } = cell.comparison!.difference!;
    cell.direction = cell.pHolm >= 0.05 ? 'unclear' : value > 0 ? 'better' : 'worse';
  }
  return cells;
}
