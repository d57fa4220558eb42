import { cutLine } from './cut-line.ts';

const mostShown = 10;

/** The first rows of a table whose first column has what others chose, and the title of that column, which says how many there are. */
export function firstRows<T>(
  title: string,
  all: readonly T[],
  cellsOf: (item: T) => string[],
): { title: string; rows: string[][] } {
  return {
    title: all.length > mostShown ? `${title} (${mostShown} of ${all.length})` : title,
    rows: all.slice(0, mostShown).map((item) => {
      const [name = '', ...cells] = cellsOf(item);
      return [cutLine(name), ...cells];
    }),
  };
}
