import type { LoadPlan } from '../load/load-plan.ts';
import type { LoadGenerator } from '../load/start-load-generator.ts';
import type { RunningSubject } from '../subjects/running-subject.ts';
import type { CallCell, CellResult, CellRun } from './call-cell.ts';
import { measureLoad, type MeasuredLoad } from './measured-load.ts';
import { median } from './median.ts';

/** Runs a cell in rounds, in each of which all subjects take part: what else the machine does meets all of them alike. */
export async function measureCell(
  cell: CallCell,
  rounds: number,
  parts: { load: LoadGenerator; subjects: readonly RunningSubject[] },
): Promise<CellResult> {
  const { promptTokens, completionTokens, concurrency, engineMs } = cell;
  const model = { kind: 'whole', promptTokens, completionTokens, delayMs: engineMs } as const;
  const taking = parts.subjects.filter(({ kind }) => cell.calls[kind] !== undefined);
  const measured = new Map<RunningSubject, MeasuredLoad[]>(taking.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [subject, runs] of measured) {
      const plan: LoadPlan = { kind: 'calls', model, concurrency, calls: cell.calls[subject.kind]! };
      runs.push(await measureLoad(parts.load, subject, plan));
    }
  }
  return { cell, runs: Array.from(measured, ([{ kind }, runs]) => cellRun(kind, runs)) };
}

function cellRun(subject: CellRun['subject'], runs: readonly MeasuredLoad[]): CellRun {
  const of = (read: (run: MeasuredLoad) => number | undefined): number | undefined => median(runs.map(read));
  return {
    subject,
    rounds: runs.length,
    callsEach: runs[0]?.completed ?? 0,
    requestsPerSecond: of(({ completed, wallMs }) => (completed * 1_000) / wallMs) ?? Number.NaN,
    p50Ms: of(({ latency }) => latency.p50) ?? Number.NaN,
    p99Ms: of(({ latency }) => latency.p99) ?? Number.NaN,
    cpuMsPerCall: of(({ cpuMs, completed }) => cpuMs && cpuMs / completed),
    eventLoopLagP99Ms: of(({ eventLoopLag }) => eventLoopLag?.p99),
  };
}
