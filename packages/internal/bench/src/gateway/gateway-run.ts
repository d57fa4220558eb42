import type { CellName } from './gateway-plan.ts';
import type { CellResult } from './measure/call-cell.ts';
import type { MemoryRun } from './measure/measure-memory.ts';
import type { StreamPlan, StreamRun } from './measure/measure-streams.ts';
import type { SubjectKind } from './subjects/subject-kind.ts';

/** Findings of the gateway benchmark. */
export interface GatewayRun {
  isPinned: boolean;
  subjects: SubjectKind[];
  cells: Record<CellName, CellResult>;
  streams: { plan: StreamPlan; runs: StreamRun[] };
  /** With Node's defaults, and with a small young generation. */
  memory: MemoryRun[];
  /** Why the numbers cannot be right; empty where nothing speaks against them. */
  objections: string[];
}
