import { LoggedCaptureStore } from './logged-capture-store.ts';
import { aFunction, optional, type OptionRules, readOptions } from '@art/ground';
import { type RetentionOptions, retentionRules } from './retention.ts';
import type { CaptureSessionLog } from './session-log.ts';
import { CaptureSessionTable } from './session-table.ts';

/** Options of `MemoryCaptureStore`. */
export interface MemoryCaptureStoreOptions extends RetentionOptions {
  /** Wall clock, milliseconds since the Unix epoch. @default Date.now */
  now?: (() => number) | undefined;
}

const rules = {
  ...retentionRules,
  now: optional(aFunction<() => number>(), Date.now),
} satisfies OptionRules<MemoryCaptureStoreOptions>;

/** Size of the objects around a capture beside its bytes, so that `maxBytes` is near the real use of the process. */
const captureOverheadBytes = 1_024;

const nothing = (): Promise<void> => Promise.resolve();

/** Everything of a session is in the store's memory already. */
const noLog: CaptureSessionLog = {
  append: nothing,
  captures: () => Promise.resolve([]),
  remove: nothing,
};

/**
 * Keeps captures in the memory of this process, each as what it adds to an earlier one of its session: 20 turns that grow
 * to 32,000 tokens take little more than the last of them. Nothing survives the process.
 */
export class MemoryCaptureStore extends LoggedCaptureStore {
  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: MemoryCaptureStoreOptions = {}) {
    const { now, ...retention } = readOptions('MemoryCaptureStore', options, rules);
    super({
      table: new CaptureSessionTable(retention),
      overheadBytes: captureOverheadBytes,
      cacheBytes: Number.POSITIVE_INFINITY,
      now,
      openLog: () => noLog,
      noteEnds: nothing,
      close: nothing,
    });
  }
}
