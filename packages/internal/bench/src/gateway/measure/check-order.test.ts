import { expect, it } from 'vitest';
import type { CellResult, CellRun } from './call-cell.ts';
import { checkOrder } from './check-order.ts';

function run(subject: CellRun['subject'], p50Ms: number, cpuMsPerCall?: number): CellRun {
  const requestsPerSecond = 1_000 / p50Ms;
  return {
    subject,
    rounds: 1,
    callsEach: 1,
    requestsPerSecond,
    p50Ms,
    p99Ms: p50Ms,
    cpuMsPerCall,
    eventLoopLagP99Ms: undefined,
  };
}

function cell(...runs: CellRun[]): CellResult {
  return { cell: { promptTokens: 1, completionTokens: 1, concurrency: 1, engineMs: 0, calls: {} }, runs };
}

it('has nothing against a cell in which more work takes longer', () => {
  expect(checkOrder('a', cell(run('direct', 1), run('pipe', 2, 0.2), run('art', 3, 0.4)))).toEqual([]);
  // Subjects that were not run leave the others in order; what is kept raw, and Python, are not part of it.
  expect(checkOrder('a', cell(run('direct', 1), run('art', 3, 0.4), run('rllm', 0.1, 0.1)))).toEqual([]);
});

it('forgives what two medians of the same thing may differ by', () => {
  expect(checkOrder('a', cell(run('direct', 1.04), run('pipe', 1, 0.2)))).toEqual([]);
});

it('objects where a gateway is faster, or cheaper, than the bare pipe', () => {
  const faster = checkOrder('a', cell(run('direct', 1), run('pipe', 3, 0.2), run('art', 2, 0.4)));
  expect(faster).toHaveLength(2);
  expect(faster.join()).toMatch(/art did better than pipe.*p50.*art did better than pipe.*requests/);
  const cheaper = checkOrder('a', cell(run('pipe', 2, 0.4), run('art', 3, 0.2)));
  expect(cheaper).toEqual([expect.stringContaining('CPU ms 0.200 against 0.400')]);
});
