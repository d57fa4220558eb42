import { LoggedTraceStore } from './logged-trace-store.ts';
import { aFunction, optional, type OptionRules, readOptions } from '@art/ground';
import { type RetentionOptions, retentionRules } from './retention.ts';
import type { CaptureSessionLog } from './session-log.ts';
import { CaptureSessionTable } from './session-table.ts';

/** Options of `MemoryTraceStore`. */
export interface MemoryTraceStoreOptions extends RetentionOptions {
  /** Wall clock, milliseconds since the Unix epoch. @default Date.now */
  now?: (() => number) | undefined;
}

const rules = {
  ...retentionRules,
  now: optional(aFunction<() => number>(), Date.now),
} satisfies OptionRules<MemoryTraceStoreOptions>;

/** Size of the objects around a capture beside its bytes, so that `maxBytes` is near the real use of the process. */
const traceOverheadBytes = 1_024;

const nothing = (): Promise<void> => Promise.resolve();

/** Everything of a session is in the store's memory already. */
const noLog: CaptureSessionLog = {
  append: nothing,
  traces: () => Promise.resolve([]),
  remove: nothing,
};

/**
 * Keeps traces in the memory of this process, each as what it adds to an earlier one of its session: 20 turns that grow
 * to 32,000 tokens take little more than the last of them. Nothing survives the process.
 */
export class MemoryTraceStore extends LoggedTraceStore {
  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: MemoryTraceStoreOptions = {}) {
    const { now, ...retention } = readOptions('MemoryTraceStore', options, rules);
    super({
      table: new CaptureSessionTable(retention),
      overheadBytes: traceOverheadBytes,
      cacheBytes: Number.POSITIVE_INFINITY,
      now,
      openLog: () => noLog,
      noteEnds: nothing,
      close: nothing,
    });
  }
}
