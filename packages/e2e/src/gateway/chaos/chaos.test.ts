import { expect, it } from 'vitest';
import { runChaos } from './run-chaos.ts';

it.each(['vllm', 'sglang'] as const)(
  'kills, disconnects and a failing %s lose and alter no token',
  { timeout: 180_000 },
  async (flavour) => {
    const calls = 600;
    const report = await runChaos({ calls, flavour, seed: 20_260, callsPerKill: 200 });
    expect({ losses: report.losses, examples: report.examples }).toEqual({
      losses: { lost: 0, altered: 0, duplicated: 0, unsound: 0, misread: 0 },
      examples: [],
    });
    // Otherwise it would prove nothing.
    expect(report.received).toBeGreaterThanOrEqual(calls);
    expect(report.kills).toBeGreaterThanOrEqual(2);
    for (const happened of ['disconnects', 'broken', 'engineFaults', 'partialTraces'] as const) {
      expect([happened, report[happened] > 2]).toEqual([happened, true]);
    }
  },
);
