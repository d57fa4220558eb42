import type { Trace } from '@art/trajectories';
import type { RetentionOptions } from '../retention.ts';
import type { TraceStore } from '../trace-store.ts';

export interface TraceStoreCheckOptions extends RetentionOptions {
  now?: () => number;
}

/** Context of a check. */
export interface TraceStoreCheckContext {
  /** Opens a store that is empty and that nobody else uses. */
  open: (options?: TraceStoreCheckOptions) => Promise<TraceStore>;
}

/** One thing that every trace store must do. */
export interface TraceStoreCheck {
  /** Stable, `append.order`. */
  id: string;
  /** A sentence about the store. */
  name: string;
  /** Rejects with an `AssertionError` that says what was expected and what the store did. */
  run(context: TraceStoreCheckContext): Promise<void>;
}

/** Makes a check that works on one store with the defaults, and closes it. */
export function checkOnStore(
  id: string,
  name: string,
  run: (store: TraceStore) => Promise<void>,
  options: TraceStoreCheckOptions = {},
): TraceStoreCheck {
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
export function appended(found: Trace | readonly Trace[] | undefined): unknown {
  if (found === undefined) return undefined;
  if (!('traceId' in found)) return found.map(appended);
  const { prefix: _prefix, ...trace } = found;
  return trace;
}
