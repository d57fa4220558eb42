import { type Clock, aNumber, optional, type OptionRules } from '@art/ground';
import type { ResultStore } from '@art/store';

/** How results are looked for in a store, by one watch for all rollouts of a client. */
export interface WatchOptions {
  /** Longest pause from one look at the store to the next, in milliseconds. @default 1_000 */
  lagBoundMs?: number | undefined;
  /** The same while the store pushes: only what a push missed is found then. @default 5_000 */
  pushedSweepIntervalMs?: number | undefined;
  /** The price of a LIST in HEADs; the watcher uses it to choose between them. @default 12.5, S3's prices */
  listCostInHeads?: number | undefined;
  /** Reads of results, and looks for them, under way at once. @default 64 */
  concurrency?: number | undefined;
  /** How long a result that was seen may stay unreadable before its rollout is given up, in milliseconds. @default 60_000 */
  fetchGiveUpMs?: number | undefined;
}

/** An event of looks at the store: they fail, or work again. */
export type WatcherTrouble =
  | { kind: 'failed'; error: unknown; failedSweeps: number }
  | { kind: 'recovered'; failedSweeps: number };

/** Options of `CompletionWatcher`. */
export interface CompletionWatcherOptions extends Omit<WatchOptions, 'fetchGiveUpMs'> {
  store: ResultStore;
  /** Called with each failed sweep, and about the first good one after it. */
  onTrouble?: ((trouble: WatcherTrouble) => void) | undefined;
  /** @default the system's */
  clock?: Clock | undefined;
}

export const watchRules = {
  lagBoundMs: optional(aNumber({ above: 0 }), 1_000),
  pushedSweepIntervalMs: optional(aNumber({ above: 0 }), 5_000),
  listCostInHeads: optional(aNumber({ above: 0 }), 12.5),
  concurrency: optional(aNumber({ min: 1, integer: true }), 64),
  fetchGiveUpMs: optional(aNumber({ above: 0 }), 60_000),
} satisfies OptionRules<WatchOptions>;
