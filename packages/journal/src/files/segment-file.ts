import { runTakenOver } from '../log/journal-refusal.ts';
import type { SegmentSettings, SegmentWriter } from '../log/run-segments.ts';
import type { AppendedFile, JournalFileSystem } from './journal-file-system.ts';

/**
 * When what was written is forced to the disk. In every case a killed process loses nothing that a promise has confirmed.
 * - `commit`: before it counts as written. Survives a power failure.
 * - `interval`: once a second. A power failure may take the last second, and what was started in it would run again.
 * - `never`: when the system likes.
 */
export type SyncPolicy = 'commit' | 'interval' | 'never';

export interface FileSettings extends SegmentSettings {
  sync: SyncPolicy;
  fileSystem: JournalFileSystem;
}

export interface SegmentFileParts {
  file: AppendedFile;
  runId: string;
  /** Whether another process has added the next segment. */
  isTakenOver: () => Promise<boolean>;
  /** Says that the run was let go. */
  release: () => Promise<void>;
  settings: FileSettings;
}

/** The segment that this process writes: a file that grows. */
export class SegmentFile implements SegmentWriter {
  readonly #parts: SegmentFileParts;
  #lastSignMs: number;
  #isSyncDue = false;

  constructor(parts: SegmentFileParts) {
    this.#parts = parts;
    this.#lastSignMs = parts.settings.clock.nowMs();
  }

  async write(text: string): Promise<void> {
    const { file, settings } = this.#parts;
    const { clock, leaseMs, sync } = settings;
    const nowMs = clock.nowMs();
    await file.append(text);
    if (sync === 'commit') await file.sync();
    else this.#isSyncDue = true;
    // Nobody could claim the run within a lease of the last sign of life. After a longer sleep somebody may have, and
    // would have read this segment before the text was in it.
    if (clock.nowMs() - this.#lastSignMs > leaseMs / 2) await this.#assertStillOwner();
    this.#lastSignMs = nowMs;
  }

  async keepUp(): Promise<void> {
    const { file, settings } = this.#parts;
    const { clock, leaseMs, sync } = settings;
    if (this.#isSyncDue && sync === 'interval') {
      this.#isSyncDue = false;
      await file.sync();
    }
    if (clock.nowMs() - this.#lastSignMs < leaseMs / 4) return;
    await this.#assertStillOwner();
    await file.touch();
    this.#lastSignMs = clock.nowMs();
  }

  async release(): Promise<void> {
    const { file, release, settings } = this.#parts;
    if (settings.sync !== 'never') await file.sync().catch(() => undefined);
    await file.close().catch(() => undefined);
    await release().catch(() => undefined);
  }

  async #assertStillOwner(): Promise<void> {
    const { isTakenOver, runId } = this.#parts;
    if (await isTakenOver()) throw runTakenOver(runId);
  }
}
