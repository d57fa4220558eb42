import { markdownCell } from './markdown-cell.ts';
import type { ReportTable } from './report-tables.ts';

/** Texts in rows as Markdown. What others chose is shown as it is, never as markup. */
export function markdownTable({ columns, rows }: ReportTable): string {
  const rule = columns.map(({ align }) => (align === 'right' ? ' ---: |' : ' --- |'));
  return [line(columns.map(({ title }) => title)), `|${rule.join('')}`, ...rows.map(line)].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(markdownCell).join(' | ')} |`;
}
