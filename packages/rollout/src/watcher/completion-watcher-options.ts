import type { Clock } from '@art/async';
import type { ResultStore } from '@art/store';
import type { WatchOptions } from './watch-options.ts';

/** That looks at the store fail, and that they work again. */
export type WatcherTrouble =
  | { kind: 'failed'; error: unknown; failedSweeps: number }
  | { kind: 'recovered'; failedSweeps: number };

/** Options of `CompletionWatcher`. */
export interface CompletionWatcherOptions extends Omit<WatchOptions, 'fetchGiveUpMs'> {
  store: ResultStore;
  /** Told about each failed sweep, and about the first good one after it. */
  onTrouble?: ((trouble: WatcherTrouble) => void) | undefined;
  /** @default the system's */
  clock?: Clock | undefined;
}
