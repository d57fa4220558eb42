import type { Capture } from '@art/trajectories';
import type { RetentionOptions } from '../retention.ts';
import type { CaptureStore } from '../capture-store.ts';

export interface CaptureStoreCheckOptions extends RetentionOptions {
  now?: () => number;
}

/** Context of a check. */
export interface CaptureStoreCheckContext {
  /** Opens a store that is empty and that nobody else uses. */
  open: (options?: CaptureStoreCheckOptions) => Promise<CaptureStore>;
}

/** One thing that every capture store must do. */
export interface CaptureStoreCheck {
  /** Stable, `append.order`. */
  id: string;
  /** A sentence about the store. */
  name: string;
  /** Rejects with an `AssertionError` that says what was expected and what the store did. */
  run(context: CaptureStoreCheckContext): Promise<void>;
}

/** Makes a check that works on one store with the defaults, and closes it. */
export function checkOnStore(
  id: string,
  name: string,
  run: (store: CaptureStore) => Promise<void>,
  options: CaptureStoreCheckOptions = {},
): CaptureStoreCheck {
  return {
    id,
    name,
    run: async ({ open }) => {
      const store = await open(options);
      try {
        await run(store);
      } finally {
        await store.close();
      }
    },
  };
}

/** A clock that stands still until it is told to continue. */
export function manualClock(startMs = 1_000_000): { now: () => number; advance: (ms: number) => void } {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

/** The appended captures of a store's answer: without the fields that the store itself adds. */
export function appended(found: Capture | readonly Capture[] | undefined): unknown {
  if (found === undefined) return undefined;
  if (!('captureId' in found)) return found.map(appended);
  const { prefix: _prefix, ...capture } = found;
  return capture;
}
