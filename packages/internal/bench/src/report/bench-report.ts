import type { Machine } from './machine.ts';
import type { ScenarioResult } from './scenario-result.ts';
import type { Target } from './target.ts';

/** Everything that a run of the benchmarks has found; what `report.json` holds. */
export interface BenchReport {
  startedAt: string;
  machine: Machine;
  seed: number;
  isQuick: boolean;
  /** Omissions, with their reasons. */
  notes: string[];
  results: (ScenarioResult & { targets: Target[] })[];
}
