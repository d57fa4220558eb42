/** Columns whose cells are numbers are aligned to the right. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const isNumeric = (column: number): boolean =>
    rows.length > 0 && rows.every((row) => row[column] === '' || /^[\d.,]/.test(row[column] ?? ''));
  return [
    line(header),
    line(header.map((_, column) => (isNumeric(column) ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
