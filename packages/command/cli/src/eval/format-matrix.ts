import { type MatrixCell, markdownCell, markdownTable, matrixReport } from '@art/eval';
import { formatTable } from '../terminal/format-table.ts';

/** The cells of a matrix, and what is to be known of them. @param missing names of cells that have not begun */
export function matrixTable(cells: readonly MatrixCell[], missing: readonly string[]): string {
  const { table, remarks } = matrixReport(cells, missing);
  return [formatTable(table.columns, table.rows), ...remarks].map((text) => `${text.trimEnd()}\n`).join('\n');
}

/** The same as Markdown. */
export function matrixMarkdown(cells: readonly MatrixCell[], missing: readonly string[]): string {
  const { table, remarks } = matrixReport(cells, missing);
  const notes = remarks.map((remark) => `> ${markdownCell(remark)}`);
  return `${[markdownTable(table), ...notes].join('\n\n')}\n`;
}
