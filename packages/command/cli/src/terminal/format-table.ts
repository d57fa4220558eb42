import type { ReportTable } from '@art/eval';

/** A column of numbers. */
export const right = (title: string) => ({ title, align: 'right' as const });

/** Columns of text, as wide as they must be; numbers are put to the right. */
export function formatTable(
  titles: readonly (string | ReportTable['columns'][number])[],
  rows: readonly (readonly string[])[],
): string {
  const columns = titles.map((title) => (typeof title === 'string' ? { title, align: undefined } : title));
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, at) => {
        const cell = cells[at] ?? '';
        return align === 'right' ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!);
      })
      .join('  ')
      .trimEnd();
  return `${[columns.map(({ title }) => title), ...rows].map(line).join('\n')}\n`;
}
