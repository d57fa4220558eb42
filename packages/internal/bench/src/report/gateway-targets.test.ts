import { expect, it } from 'vitest';
import { gatewayPlan, type CellName } from '../gateway/gateway-plan.ts';
import type { GatewayRun } from '../gateway/gateway-run.ts';
import type { CellResult, CellRun } from '../gateway/measure/call-cell.ts';
import { gatewayTargets } from './gateway-targets.ts';

function run(subject: CellRun['subject'], numbers: Partial<CellRun>): CellRun {
  return {
    subject,
    rounds: 1,
    callsEach: 1,
    requestsPerSecond: 1,
    p50Ms: 1,
    p99Ms: 1,
    cpuMsPerCall: undefined,
    eventLoopLagP99Ms: undefined,
    ...numbers,
  };
}

function gatewayRun(runs: Partial<Record<CellName, CellRun[]>>): GatewayRun {
  const { cells, streams, memory } = gatewayPlan(true);
  return {
    isPinned: true,
    subjects: ['direct', 'pipe', 'art'],
    cells: Object.fromEntries(
      Object.entries(cells).map(([name, cell]) => [name, { cell, runs: runs[name as CellName] ?? [] }]),
    ) as Record<CellName, CellResult>,
    streams: { plan: streams, runs: [] },
    memory: [
      {
        nodeFlags: [],
        sessions: memory.sessions,
        turns: 20,
        tokens: 32_000,
        startRssBytes: 0,
        growthBytes: 501e6,
        growthAgainBytes: 510e6,
        cpuMsPerCall: undefined,
      },
    ],
    objections: [],
  };
}

const verdicts = (gateway: GatewayRun): Record<string, string> =>
  Object.fromEntries(
    gatewayTargets(gateway).map(({ what, measured, verdict }) => [what, `${measured} ${verdict}`]),
  );

it('holds what was measured against the limits', () => {
  const found = verdicts(
    gatewayRun({
      short_c1: [run('direct', { p50Ms: 0.1 }), run('art', { p50Ms: 0.59 })],
      long_c1: [run('direct', { p50Ms: 0.1 }), run('art', { p50Ms: 1.7 })],
      short_c16: [run('art_raw', { cpuMsPerCall: 0.5 }), run('rllm', { cpuMsPerCall: 3.6 })],
      short_c64: [run('pipe', { requestsPerSecond: 2_000 }), run('art', { requestsPerSecond: 1_600 })],
      long_c350: [run('art', { eventLoopLagP99Ms: 50.1 })],
    }),
  );
  expect(found['added latency p50, 2k + 200 tokens, c=1']).toBe('0.49 ms met');
  expect(found['added latency p50, 32k + 500 tokens, c=1']).toBe('1.60 ms missed');
  expect(Object.entries(found).find(([what]) => what.startsWith('CPU per request'))?.[1]).toBe('0.139 x met');
  expect(Object.entries(found).find(([what]) => what.startsWith('requests/s'))?.[1]).toBe('1600 /s met');
  expect(found['event loop lag p99, 350 concurrent calls of 32k + 500 tokens']).toBe('50.1 ms missed');
  expect(Object.entries(found).find(([what]) => what.startsWith('memory'))?.[1]).toBe('501 MB missed');
});

it('judges nothing that was not run', () => {
  const targets = gatewayTargets(gatewayRun({}));
  expect(targets.filter(({ verdict }) => verdict !== 'not measured').map(({ what }) => what)).toEqual([
    'memory of 4 sessions, 20 turns, 32k tokens',
  ]);
});
