import type { CallCell } from './measure/call-cell.ts';
import type { MemoryPlan } from './measure/measure-memory.ts';
import type { StreamPlan } from './measure/measure-streams.ts';

/** Plan of the gateway benchmark. */
export interface GatewayPlan {
  rounds: number;
  /** Calls that each subject serves before anything is measured. */
  warmUp: { node: number; python: number };
  cells: Record<CellName, CallCell>;
  streams: StreamPlan;
  memory: MemoryPlan;
}

export type CellName =
  | 'short_c1'
  | 'long_c1'
  | 'short_c16'
  | 'long_c16'
  | 'short_c64'
  | 'long_c350'
  | 'long_c350_busy';

const short = { promptTokens: 2_000, completionTokens: 200, engineMs: 0 };
const long = { promptTokens: 32_000, completionTokens: 500, engineMs: 0 };

/** Some five minutes. The gateway in Python gets fewer calls, since each takes it several times as long. */
const fullPlan: GatewayPlan = {
  rounds: 5,
  warmUp: { node: 3_000, python: 200 },
  cells: {
    short_c1: {
      ...short,
      concurrency: 1,
      calls: { direct: 400, pipe: 400, art: 400, art_raw: 400, rllm: 100 },
    },
    long_c1: { ...long, concurrency: 1, calls: { direct: 150, pipe: 150, art: 150, art_raw: 150, rllm: 20 } },
    short_c16: { ...short, concurrency: 16, calls: { pipe: 1_500, art: 1_500, art_raw: 1_500, rllm: 300 } },
    long_c16: { ...long, concurrency: 16, calls: { pipe: 300, art: 300, art_raw: 300, rllm: 50 } },
    short_c64: { ...short, concurrency: 64, calls: { direct: 3_000, pipe: 3_000, art: 3_000, rllm: 300 } },
    // A model samples 500 tokens in some seconds.
    long_c350: { ...long, engineMs: 2_500, concurrency: 350, calls: { art: 1_050 } },
    // What no model does: 350 answers at the same time, again and again.
    long_c350_busy: { ...long, concurrency: 350, calls: { art: 1_050 } },
  },
  streams: { promptTokens: 2_000, chunks: 128, paceMs: 5, concurrency: 32, streams: 96, rounds: 3 },
  memory: { sessions: 1_000, settleMs: 5_000 },
};

/** A small version in some seconds: the same paths, numbers without meaning. */
const quickPlan: GatewayPlan = {
  rounds: 1,
  warmUp: { node: 20, python: 10 },
  cells: {
    short_c1: { ...fullPlan.cells.short_c1, calls: { direct: 10, pipe: 10, art: 10, art_raw: 10, rllm: 5 } },
    long_c1: { ...fullPlan.cells.long_c1, calls: { direct: 4, pipe: 4, art: 4, art_raw: 4, rllm: 2 } },
    short_c16: { ...fullPlan.cells.short_c16, calls: { pipe: 32, art: 32, art_raw: 32, rllm: 16 } },
    long_c16: { ...fullPlan.cells.long_c16, calls: { pipe: 16, art: 16, art_raw: 16, rllm: 4 } },
    short_c64: { ...fullPlan.cells.short_c64, calls: { direct: 64, pipe: 64, art: 64, rllm: 16 } },
    long_c350: { ...fullPlan.cells.long_c350, engineMs: 50, concurrency: 20, calls: { art: 40 } },
    long_c350_busy: { ...fullPlan.cells.long_c350_busy, concurrency: 20, calls: { art: 40 } },
  },
  streams: { ...fullPlan.streams, chunks: 16, concurrency: 4, streams: 8, rounds: 1 },
  memory: { sessions: 4, settleMs: 100 },
};

export function gatewayPlan(isQuick: boolean): GatewayPlan {
  return isQuick ? quickPlan : fullPlan;
}
