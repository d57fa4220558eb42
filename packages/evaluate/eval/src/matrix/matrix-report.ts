import { formatCost, formatEstimate, formatP } from '../report/format-figures.ts';
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
  const rows = cells.map(({ name, results, comparison, pHolm, direction }) => {
    const { samples, mean, cost } = results;
    const difference = comparison?.difference;
    return [
      name,
      `${samples.scored} of ${samples.wanted ?? samples.recorded}`,
      mean === null ? 'not judged' : formatEstimate(mean),
      cost === null ? '' : formatCost(cost.total),
      difference == null ? '' : formatEstimate(difference),
      pHolm === null ? '' : formatP(pHolm),
      comparison === null ? 'baseline' : (direction ?? 'not to be relied on'),
    ];
  });
  const doubts = cells.flatMap(({ name, comparison }) =>
    (comparison?.doubts ?? []).map(({ message }) => `${name}: ${message}`),
  );
  return {
    table: {
      columns: titles.map((title) => ({ title })),
      rows: [...rows, ...missing.map((name) => [name, '0', '', '', '', '', 'missing'])],
    },
    remarks: [
      ...doubts,
      ...(missing.length === 0 ? [] : [`${missing.length} cells are missing: --resume runs them.`]),
    ],
  };
}
