import type { CallOptions } from '@art/protocol';

/** Where a result is: the bucket comes with each request on the wire, so it is part of the address. */
export interface ResultLocation {
  bucket: string;
  /** `{exp_id}/{input_id}/{session_id}.json`; a store takes any key that S3 would take. */
  key: string;
}

export interface PutOptions extends CallOptions {
  /** Store only where nothing is yet. Of any number of concurrent writers exactly one gets `stored`. @default false */
  ifAbsent?: boolean | undefined;
}

/** `exists` is only ever answered to `ifAbsent`; nothing was written then. */
export type PutOutcome = { kind: 'stored' } | { kind: 'exists' };

export interface ListRange {
  bucket: string;
  /** Keys that start with this, compared byte by byte; it need not end at a slash. */
  prefix: string;
  /** Only keys after this one, which need not exist. */
  startAfter?: string | undefined;
  /** Most keys on one page, 1 to 1,000. @default 1_000 */
  limit?: number | undefined;
}

export interface ListPage {
  /** In the order of their UTF-8 bytes. */
  keys: string[];
  /** True if more follow; the next page starts after the last key of this one. */
  truncated: boolean;
}

export interface WatchRange {
  bucket: string;
  prefix: string;
}

/** A running watch. */
export interface StoreWatch {
  /** True while new keys are being reported; the watcher looks more often while it is false. @default true */
  readonly isWorking?: boolean;
  /** Ends the watch; no key is reported once it resolves. Idempotent. */
  close(): Promise<void>;
}

/**
 * Where results are kept. Implement `put`, `get` and `exists`; `list` and `watch` are capabilities that the completion
 * watcher uses where they are. Run `@art/store/conformance` against your implementation.
 *
 * A store is dumb: it keeps text under an address. Serialisation, retries and typing sit above it.
 * A missing key is an answer (`undefined`, `false`), never an error; failures are thrown as `StoreError`.
 * Every method rejects with the signal's reason when `signal` aborts.
 */
export interface ResultStore {
  /** Stores `body` atomically: a reader sees the old text or the new one, never a part. */
  put(at: ResultLocation, body: string, options?: PutOptions): Promise<PutOutcome>;
  get(at: ResultLocation, options?: CallOptions): Promise<string | undefined>;
  exists(at: ResultLocation, options?: CallOptions): Promise<boolean>;
  /**
   * Asks whether results under `range` can be read at all: one cheap question, put once before the first rollout is sent.
   * Where it is missing, a listing of one key takes its place, or a look for a key that is not there.
   * @throws StoreError whose `retryable` is false where somebody has to change something first
   */
  check?(range: WatchRange, options?: CallOptions): Promise<void>;
  list?(range: ListRange, options?: CallOptions): Promise<ListPage>;
  /**
   * Calls `onKey` for keys that are stored under `range` once the returned promise has resolved. A hint, not a
   * promise: a key may be reported twice, late, or (after a failure of the source) not at all.
   */
  watch?(range: WatchRange, onKey: (key: string) => void, options?: CallOptions): Promise<StoreWatch>;
}

/** True if a value has the members that every store must have. */
export function isResultStore(value: unknown): value is ResultStore {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['put', 'get', 'exists'].every(
      (method) => typeof (value as Record<string, unknown>)[method] === 'function',
    )
  );
}
