import { expect, it } from 'vitest';
import { runChaos } from './run-chaos.ts';

it.each([
  { flavour: 'vllm', continuesTurns: true },
  { flavour: 'sglang', continuesTurns: false },
] as const)(
  'kills, disconnects and a failing $flavour lose and alter no token; turns continue by theirs: $continuesTurns',
  { timeout: 180_000 },
  async (options) => {
    const calls = 600;
    const report = await runChaos({ calls, ...options, seed: 20_260, callsPerKill: 200 });
    expect({ losses: report.losses, examples: report.examples }).toEqual({
      losses: { lost: 0, altered: 0, duplicated: 0, unsound: 0, misread: 0 },
      examples: [],
    });
    // Otherwise it would prove nothing.
    expect(report.received).toBeGreaterThanOrEqual(calls);
    expect(report.kills).toBeGreaterThanOrEqual(2);
    const { continuedPrompts, renderedPrompts } = report;
    expect(continuedPrompts > 50 && continuedPrompts > 4 * renderedPrompts).toBe(options.continuesTurns);
    for (const happened of ['disconnects', 'broken', 'engineFaults', 'partialCaptures'] as const) {
      expect([happened, report[happened] > 2]).toEqual([happened, true]);
    }
  },
);
