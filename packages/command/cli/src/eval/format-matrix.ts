import {
  formatCost,
  formatEstimate,
  goalText,
  isGoalOfBoth,
  type MatrixCell,
  markdownCell,
  markdownTable,
} from '@art/eval';
import { formatTable } from '../terminal/format-table.ts';
import { formatP } from './format-difference.ts';

const titles = ['cell', 'samples', 'mean reward, 95 %', 'cost', 'difference, 95 %', 'p (Holm)', ''];

/** The cells of a matrix, and what is to be known of them. @param missing names of cells that have not begun */
export function matrixTable(cells: readonly MatrixCell[], missing: readonly string[]): string {
  return [formatTable(titles, rowsOf(cells, missing)), ...remarks(cells, missing)]
    .map((text) => `${text.trimEnd()}\n`)
    .join('\n');
}

/** The same as Markdown. */
export function matrixMarkdown(cells: readonly MatrixCell[], missing: readonly string[]): string {
  const notes = remarks(cells, missing).map((remark) => `> ${markdownCell(remark)}`);
  const table = { columns: titles.map((title) => ({ title })), rows: rowsOf(cells, missing) };
  return `${[markdownTable(table), ...notes].join('\n\n')}\n`;
}

function rowsOf(cells: readonly MatrixCell[], missing: readonly string[]): string[][] {
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
  return [...rows, ...missing.map((name) => [name, '0', '', '', '', '', 'missing'])];
}

/** The answer of a cell that was asked beside the baseline. */
function answerOf({ results: { goal } }: MatrixCell): MatrixCell['results']['goal'] {
  return goal !== null && isGoalOfBoth(goal.goal) ? goal : null;
}

function remarks(cells: readonly MatrixCell[], missing: readonly string[]): string[] {
  const doubts = cells.flatMap(({ name, comparison }) =>
    (comparison?.doubts ?? []).map(({ message }) => `${name}: ${message}`),
  );
  const answers = cells.flatMap((cell) => {
    const goal = answerOf(cell);
    return goal === null ? [] : [`${goal.goal}: ${goalText(goal)}`];
  });
  return [
    ...answers,
    ...doubts,
    ...(missing.length === 0 ? [] : [`${missing.length} cells are missing: --resume runs them.`]),
  ];
}
