import type { Clock } from '@art/async';
import type { JournalFileSystem } from './journal-file-system.ts';

/**
 * When what was written is forced to the disk. In every case a killed process loses nothing that a promise has confirmed.
 * - `commit`: before it counts as written. Survives a power failure.
 * - `interval`: once a second. A power failure may take the last second, and what was started in it would run again.
 * - `never`: when the system likes.
 */
export type SyncPolicy = 'commit' | 'interval' | 'never';

export interface SegmentFileSettings {
  sync: SyncPolicy;
  leaseMs: number;
  clock: Clock;
  fileSystem: JournalFileSystem;
}
