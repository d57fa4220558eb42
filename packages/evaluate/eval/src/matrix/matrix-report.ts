import { isGoalOfBoth } from '../goal/goal.ts';
import { formatCost, formatEstimate, formatP } from '../report/format-figures.ts';
import { goalText } from '../report/goal-text.ts';
import type { ReportTable } from '../report/report-tables.ts';
import type { MatrixCell } from './read-matrix.ts';

const titles = ['cell', 'samples', 'mean reward, 95 %', 'cost', 'difference, 95 %', 'p (Holm)', ''];

/**
 * The cells of a matrix as a table, and what is to be known of them.
 * @param missing names of cells that have not begun
 */
export function matrixReport(
  cells: readonly MatrixCell[],
  missing: readonly string[],
): { table: ReportTable; remarks: string[] } {
  const rows = cells.map((cell) => {
    const { name, results, comparison, pHolm, direction } = cell;
    const { samples, mean, cost } = results;
    const paired = answerOf(cell);
    const difference = paired ?? comparison?.difference;
    return [
      name,
      `${samples.scored} of ${samples.wanted ?? samples.recorded}`,
      mean === null ? 'not judged' : formatEstimate(mean),
      cost === null ? '' : formatCost(cost.total),
      difference?.value == null ? '' : formatEstimate({ ...difference, value: difference.value }),
      pHolm === null ? '' : formatP(pHolm),
      comparison === null ? 'baseline' : (paired?.end ?? direction ?? 'not to be relied on'),
    ];
  });
  const doubts = cells.flatMap(({ name, comparison }) =>
    (comparison?.doubts ?? []).map(({ message }) => `${name}: ${message}`),
  );
  const answers = cells.flatMap((cell) => {
    const goal = answerOf(cell);
    return goal === null ? [] : [`${goal.goal}: ${goalText(goal)}`];
  });
  return {
    table: {
      columns: titles.map((title) => ({ title })),
      rows: [...rows, ...missing.map((name) => [name, '0', '', '', '', '', 'missing'])],
    },
    remarks: [
      ...answers,
      ...doubts,
      ...(missing.length === 0 ? [] : [`${missing.length} cells are missing: --resume runs them.`]),
    ],
  };
}

/** The answer of a cell that was asked beside the baseline. */
function answerOf({ results: { goal } }: MatrixCell): MatrixCell['results']['goal'] {
  return goal !== null && isGoalOfBoth(goal.goal) ? goal : null;
}
