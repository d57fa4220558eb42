import { checkNumber } from '@art/protocol';
import type { Clock } from '@art/async';
import type { ResultStore } from '@art/store';

/** That looks at the store fail, and that they work again. */
export type WatcherTrouble =
  | { kind: 'failed'; error: unknown; failedSweeps: number }
  | { kind: 'recovered'; failedSweeps: number };

/** Options of `CompletionWatcher`. */
export interface CompletionWatcherOptions {
  store: ResultStore;
  /** Longest pause from one look at the store to the next, in milliseconds. @default 1_000 */
  lagBoundMs?: number | undefined;
  /** The same while the store pushes: only what a push missed is found then. @default 5_000 */
  pushedSweepIntervalMs?: number | undefined;
  /** What a LIST costs in HEADs; at S3's prices 0.005 against 0.0004 USD per 1,000. @default 12.5 */
  listCostInHeads?: number | undefined;
  /** Requests under way at once. @default 64 */
  concurrency?: number | undefined;
  /** Told about each failed sweep, and about the first good one after it. */
  onTrouble?: ((trouble: WatcherTrouble) => void) | undefined;
  /** @default the system's */
  clock?: Clock | undefined;
}

/** With every default filled in. */
export interface ResolvedWatcherOptions {
  lagBoundMs: number;
  pushedSweepIntervalMs: number;
  listCostInHeads: number;
  concurrency: number;
}

/** @throws ArtError `ART_INVALID_OPTION` */
export function resolveWatcherOptions(options: CompletionWatcherOptions): ResolvedWatcherOptions {
  const {
    lagBoundMs = 1_000,
    pushedSweepIntervalMs = 5_000,
    listCostInHeads = 12.5,
    concurrency = 64,
  } = options;
  checkNumber('lagBoundMs', lagBoundMs, { above: 0 });
  checkNumber('pushedSweepIntervalMs', pushedSweepIntervalMs, { above: 0 });
  checkNumber('listCostInHeads', listCostInHeads, { above: 0 });
  checkNumber('concurrency', concurrency, { min: 1, integer: true });
  return { lagBoundMs, pushedSweepIntervalMs, listCostInHeads, concurrency };
}
