import type { CellResult, CellRun } from './call-cell.ts';

// What two medians of the same thing may differ by.
const tolerance = 1.05;

/**
 * Nothing that does more can be faster: direct >= bare pipe >= gateway, and a pipe cannot cost more than a gateway. Where a
 * cell says otherwise it has measured something else: a cold process, or what the machine did beside it.
 * @returns what is wrong with the cell
 */
export function checkOrder(name: string, { cell, runs }: CellResult): string[] {
  const order = (['direct', 'pipe', 'art'] as const)
    .map((subject) => runs.find((run) => run.subject === subject))
    .filter((run) => run !== undefined);
  const objections: string[] = [];
  const object = (less: CellRun, more: CellRun, what: string, a: number, b: number): void => {
    objections.push(
      `${name} (c=${cell.concurrency}): ${more.subject} did better than ${less.subject}, ${what} ${b.toFixed(3)} against ${a.toFixed(3)}`,
    );
  };
  for (const [index, less] of order.entries()) {
    const more = order[index + 1];
    if (more === undefined) break;
    if (more.p50Ms * tolerance < less.p50Ms) object(less, more, 'p50 in ms', less.p50Ms, more.p50Ms);
    if (more.requestsPerSecond > less.requestsPerSecond * tolerance)
      object(less, more, 'requests/s', less.requestsPerSecond, more.requestsPerSecond);
    const [cheap, dear] = [less.cpuMsPerCall, more.cpuMsPerCall];
    if (cheap !== undefined && dear !== undefined && dear * tolerance < cheap)
      object(less, more, 'CPU ms', cheap, dear);
  }
  return objections;
}
