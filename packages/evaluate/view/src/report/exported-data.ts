import type { RunInfo } from './run-info.ts';

/** First block of an exported file. The others are named after what they hold, see `blockName`. */
export interface ExportedIndex {
  exportedAtMs: number;
  runs: RunInfo[];
  /** For each run, the position of the first sample of each of its blocks of details. */
  details: number[][];
}

/** Blocks are `<script type="application/gzip">` elements: gzip in base64, JSON inside. */
export const blockName = {
  index: 'index',
  rows: (run: number): string => `rows-${run}`,
  steps: (run: number): string => `steps-${run}`,
  groups: (run: number): string => `groups-${run}`,
  health: (run: number): string => `health-${run}`,
  details: (run: number, first: number): string => `details-${run}-${first}`,
};
