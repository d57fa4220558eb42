import { figure, formatCost, type MatrixCell, markdownCell } from '@art/eval';
import { formatTable } from '../terminal/format-table.ts';
import { markdownTable } from './comparison-verdict.ts';

const titles = ['cell', 'samples', 'mean reward, 95 %', 'cost', 'difference, 95 %', 'p (Holm)', ''];

/** The cells of a matrix, and what is to be known of them. @param missing names of cells that have not begun */
export function matrixTable(cells: readonly MatrixCell[], missing: readonly string[]): string {
  const table = formatTable(
    titles.map((title) => ({ title })),
    rowsOf(cells, missing),
  );
  return [table, ...remarks(cells, missing)].map((text) => `${text.trimEnd()}\n`).join('\n');
}

/** The same as Markdown. */
export function matrixMarkdown(cells: readonly MatrixCell[], missing: readonly string[]): string {
  const notes = remarks(cells, missing).map((remark) => `> ${markdownCell(remark)}`);
  return `${[markdownTable(titles, rowsOf(cells, missing)), ...notes].join('\n\n')}\n`;
}

function rowsOf(cells: readonly MatrixCell[], missing: readonly string[]): string[][] {
  const rows = cells.map(({ name, results, comparison, pHolm, direction }) => {
    const { samples, mean, cost } = results;
    const difference = comparison?.difference;
    return [
      name,
      `${samples.scored} of ${samples.wanted ?? samples.recorded}`,
      mean === null ? 'not judged' : `${figure(mean.value)}${between(mean)}`,
      cost === null ? '' : formatCost(cost.total),
      difference == null ? '' : `${figure(difference.value)}${between(difference)}`,
      pHolm === null ? '' : pHolm < 0.0001 ? '< 0.0001' : pHolm.toFixed(4),
      comparison === null ? 'baseline' : (direction ?? 'not to be relied on'),
    ];
  });
  return [...rows, ...missing.map((name) => [name, '0', '', '', '', '', 'missing'])];
}

function between({ low, high }: { low: number; high: number }): string {
  return Number.isFinite(low) && Number.isFinite(high) ? ` [${figure(low)}, ${figure(high)}]` : '';
}

function remarks(cells: readonly MatrixCell[], missing: readonly string[]): string[] {
  const doubts = cells.flatMap(({ name, comparison }) =>
    (comparison?.doubts ?? []).map(({ message }) => `${name}: ${message}`),
  );
  return [
    ...doubts,
    ...(missing.length === 0 ? [] : [`${missing.length} cells are missing: --resume runs them.`]),
  ];
}
