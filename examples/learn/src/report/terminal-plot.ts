import { type StepRecord, trendOf } from './step-record.ts';

const rows = 12;
const mostColumns = 64;
const marks = ['●', '○', '×', '+', '◇'];

/** Rewards over steps, as text: the mean of ten of each run, with its own mark. */
export function terminalPlot(runs: ReadonlyMap<string, readonly StepRecord[]>): string {
  const steps = Math.max(1, ...[...runs.values()].map((records) => records.length));
  const columns = Math.min(mostColumns, steps);
  const grid = Array.from({ length: rows + 1 }, () => Array.from({ length: columns }, () => ' '));
  for (const [index, records] of [...runs.values()].entries()) {
    for (const [before, mean] of trendOf(records).entries()) {
      const line = grid[rows - Math.round(Math.min(1, Math.max(0, mean)) * rows)]!;
      line[Math.floor((before * columns) / steps)] = marks[index % marks.length]!;
    }
  }
  const lines = grid.map((cells, row) => {
    const value = row % 3 === 0 ? ((rows - row) / rows).toFixed(2) : '';
    return `${value.padStart(6)} ${value === '' ? '│' : '┤'}${cells.join('')}`.trimEnd();
  });
  const legend = [...runs.keys()].map((name, index) => `${marks[index % marks.length]} ${name}`).join('   ');
  return [
    'reward (mean of ten steps)',
    ...lines,
    `${' '.repeat(7)}└${'─'.repeat(columns)}`,
    `${' '.repeat(8)}${'1'.padEnd(columns - String(steps).length)}${steps === 1 ? '' : steps}  step`,
    '',
    legend,
  ].join('\n');
}
