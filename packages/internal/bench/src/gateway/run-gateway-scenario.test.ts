import { expect, it } from 'vitest';
import { gatewaySection } from '../report/gateway-section.ts';
import { gatewayTargets } from '../report/gateway-targets.ts';
import { runGatewayScenario } from './run-gateway-scenario.ts';

it('the gateway is measured beside the pipe and the engine', async () => {
  const lines: string[] = [];
  const run = await runGatewayScenario({
    isQuick: true,
    pythonExecutable: undefined,
    log: (line) => lines.push(line),
  });
  expect(run.subjects).toEqual(['direct', 'pipe', 'art', 'art_raw']);
  expect(Object.keys(run.cells)).toHaveLength(7);
  for (const { cell, runs } of Object.values(run.cells)) {
    expect(runs.map(({ subject }) => subject)).toEqual(run.subjects.filter((kind) => cell.calls[kind]));
    for (const { subject, callsEach, p50Ms } of runs) {
      expect(callsEach).toBe(cell.calls[subject]);
      expect(p50Ms).toBeGreaterThan(cell.engineMs);
    }
  }
  const { runs, plan } = run.streams;
  expect(runs.map(({ subject }) => subject)).toEqual(['direct', 'pipe', 'art']);
  // A stamp that is cut in two on its way is not counted.
  for (const { chunks } of runs) expect(chunks).toBeGreaterThan(plan.streams * plan.chunks * 0.9);
  expect(run.memory.map(({ nodeFlags }) => nodeFlags)).toEqual([[], ['--max-semi-space-size=16']]);
  // Heaps breathe by some megabytes; nothing at all would mean that the wrong process was looked at.
  for (const { startRssBytes } of run.memory) expect(startRssBytes).toBeGreaterThan(30e6);
  const markdown = gatewaySection(run, gatewayTargets(run)).join('\n');
  expect(markdown).toContain('rllm-model-gateway, raw bodies kept on both');
  expect(lines.length).toBeGreaterThan(8);
});
