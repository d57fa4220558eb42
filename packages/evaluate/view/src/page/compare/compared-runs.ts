import { type Difference, estimateDifference, plainMean } from '@art/eval/statistics';
import { formatDifference, formatScore } from '../text/format.ts';
import type { TaskPair } from './pair-tasks.ts';

/** The difference of a reward or a metric between two runs, as texts. */
export interface ComparedFigure {
  name: string;
  before: string;
  after: string;
  difference: string;
  /** "95 %: −0.120 to +0.040, p 0.31 (t test), over 60 tasks" */
  note: string;
  /** "60 tasks show a difference of 0.080 with a chance of 80 %"; undefined where nothing is known of the spread. */
  power: string | undefined;
}

const testNames: Record<Difference['test'], string> = {
  mcnemar: 'exact McNemar test',
  t: 't test',
  sign: 'sign test',
};

/** The score and every metric that both runs have, over the tasks that have it in both: the same figures as those of "art compare". */
export function comparedRuns(pairs: readonly TaskPair[]): ComparedFigure[] {
  const names = new Set<string>();
  for (const { before } of pairs)
    for (const { metrics } of before?.rows ?? []) for (const name of Object.keys(metrics)) names.add(name);
  const score = compared('Score', pairs, (side) => side.counted);
  const metrics = [...names]
    .toSorted()
    .map((name) =>
      compared(name, pairs, ({ rows }) =>
        rows.flatMap(({ metrics: of }) => (Object.hasOwn(of, name) ? [of[name]!] : [])),
      ),
    );
  return [score, ...metrics].filter((figure) => figure !== undefined);
}

function compared(
  name: string,
  pairs: readonly TaskPair[],
  valuesOf: (side: NonNullable<TaskPair['before']>) => readonly number[],
): ComparedFigure | undefined {
  const both = pairs
    .map(({ before, after }) => ({
      first: before === undefined ? [] : valuesOf(before),
      second: after === undefined ? [] : valuesOf(after),
    }))
    .filter(({ first, second }) => first.length > 0 && second.length > 0);
  const difference = estimateDifference(both);
  if (difference === undefined) return undefined;
  const { value, tasks, detectable } = difference;
  const meanOf = (side: 'first' | 'second'): string =>
    formatScore(plainMean(both.map((values) => plainMean(values[side]))));
  return {
    name,
    before: meanOf('first'),
    after: meanOf('second'),
    difference: formatDifference(value),
    note: noteOf(difference),
    power:
      detectable === null
        ? undefined
        : `${tasks} tasks show a difference of ${formatScore(detectable)} with a chance of 80 %`,
  };
}

function noteOf({ low, high, pValue, test, tasks }: Difference): string {
  const interval = Number.isFinite(low)
    ? `95 %: ${formatDifference(low)} to ${formatDifference(high)}`
    : 'no interval';
  const p = pValue < 0.0001 ? 'p < 0.0001' : `p ${pValue.toFixed(4)}`;
  return `${interval}, ${p} (${testNames[test]}), over ${tasks} tasks`;
}
