/** Columns of text, as wide as they must be; numbers are put to the right. */
export function formatTable(
  columns: readonly { title: string; align?: 'right' | undefined }[],
  rows: readonly (readonly string[])[],
): string {
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
