import type { CaptureSessionLog } from './session-log.ts';
import { checkRange, type StoredSession, type CaptureRange } from './capture-store.ts';

/** A store's memory of a session. */
export interface SessionEntry {
  readonly sessionId: string;
  createdAtMs: number;
  metadata: Readonly<Record<string, unknown>>;
  samplingParams: Readonly<Record<string, unknown>>;
  finished: boolean;
  /** Creation, last capture or finish, whichever came last. */
  activeAtMs: number;
  /** Calls that arrived before this are those of an earlier session of the same name. */
  acceptFromMs: number;
  /** For each capture, in the order in which they were stored. */
  readonly captureIds: string[];
  readonly storedAtMs: number[];
  readonly captureBytes: number[];
  incompleteCount: number;
  /** Where its captures are. */
  readonly log: CaptureSessionLog;
}

export function describeSession(entry: SessionEntry): StoredSession {
  return {
    sessionId: entry.sessionId,
    createdAtMs: entry.createdAtMs,
    metadata: entry.metadata,
    samplingParams: entry.samplingParams,
    captureCount: entry.captureIds.length,
    incompleteCount: entry.incompleteCount,
    firstCaptureAtMs: entry.storedAtMs[0],
    lastCaptureAtMs: entry.storedAtMs.at(-1),
    finished: entry.finished,
  };
}

/**
 * Which captures of a session lie in a range, oldest first.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function ordinalsInRange(entry: SessionEntry, range: CaptureRange): number[] {
  const { sinceMs, limit } = checkRange(range);
  const ordinals: number[] = [];
  for (const [ordinal, storedAtMs] of entry.storedAtMs.entries()) {
    if (ordinals.length >= limit) break;
    if (storedAtMs >= sinceMs) ordinals.push(ordinal);
  }
  return ordinals;
}
