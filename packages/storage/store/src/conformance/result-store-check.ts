import type { ResultStore } from '../result-store.ts';

/** Context of a check. Any number of checks may share a store and a bucket: each keeps to keys of its own. */
export interface ResultStoreCheckContext {
  store: ResultStore;
  /** A bucket that exists and may be written to. */
  bucket: string;
}

/** Capabilities that a check can require. A check is skipped where one is missing. */
export type ResultStoreCapability = 'list' | 'watch';

/** One thing that every result store must do. */
export interface ResultStoreCheck {
  /** Stable, `list.utf8-order`; also the beginning of the check's keys. */
  id: string;
  /** A sentence about the store: "lists keys in the order of their UTF-8 bytes". */
  name: string;
  requires?: ResultStoreCapability;
  /** How long the check may take against a slow store; give it to your runner. */
  timeoutMs: number;
  /** Rejects with an `AssertionError` that says what was expected and what the store did. */
  run: (context: ResultStoreCheckContext) => Promise<void>;
}

/** Why a check cannot be run on a store; undefined where it can. */
export function whySkipped(check: ResultStoreCheck, store: ResultStore): string | undefined {
  return check.requires !== undefined && store[check.requires] === undefined
    ? `the store has no ${check.requires}()`
    : undefined;
}
