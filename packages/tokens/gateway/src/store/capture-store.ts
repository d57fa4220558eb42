import { ArtError, refuseOption } from '@art/ground';
import type { Capture } from '@art/trajectories';

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkSessionId(sessionId: unknown): void {
  if (typeof sessionId === 'string' && sessionId !== '' && sessionId.isWellFormed()) return;
  refuseOption('sessionId', 'non-empty, well-formed text', sessionId);
}

/**
 * Refuses what could not be found again.
 * @returns the session of all of them; undefined for none
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkCaptures(captures: readonly NewCapture[]): string | undefined {
  const sessionId = captures[0]?.sessionId;
  for (const capture of captures) {
    checkSessionId(capture.sessionId);
    if (capture.sessionId !== sessionId) refuseOption('captures', 'of one session', capture.sessionId);
    if (typeof capture.captureId !== 'string' || capture.captureId === '') {
      refuseOption('captureId', 'non-empty text', capture.captureId);
    }
  }
  return sessionId;
}

/**
 * The range in whole milliseconds. Store times are whole too, so that a fraction must not hide what was stored in the
 * millisecond that it falls into.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkRange(range: CaptureRange): { sinceMs: number; limit: number } {
  const { sinceMs = Number.NEGATIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = range;
  if (typeof sinceMs !== 'number' || Number.isNaN(sinceMs)) refuseOption('sinceMs', 'a time', sinceMs);
  if (typeof limit !== 'number' || !(limit >= 0)) refuseOption('limit', 'a number from 0', limit);
  return { sinceMs: Math.floor(sinceMs), limit };
}

/** @throws ArtError `ART_CLOSED` */
export function refuseClosed(): never {
  throw new ArtError({
    code: 'ART_CLOSED',
    message: 'The capture store was closed. Open another one.',
  });
}

/** JSON text, or its bytes in UTF-8, which nobody changes any more. */
export type TextBytes = string | Uint8Array;

/**
 * A capture on its way into a store. Long texts may come as the bytes that they were sent as: most are never looked at again,
 * and making texts of them first would be most of the garbage of a call.
 */
export interface NewCapture extends Omit<Capture, 'messages' | 'rawRequest' | 'rawResponse' | 'prefix'> {
  messages: readonly TextBytes[];
  rawRequest: TextBytes | undefined;
  rawResponse: TextBytes | undefined;
  /** Which prompts may continue from its tokens: see `PromptMessages.scope`. @default none */
  continuedIn?: string | undefined;
}

/** A prompt as a call spells it. */
export interface PromptMessages {
  /** JSON text each. */
  messages: readonly TextBytes[];
  /** Equal for prompts that differ in nothing but their messages: not in tools, nor in the template's arguments. */
  scope: string;
}

/** The turn whose tokens a prompt can continue from. */
export interface TurnBefore {
  /** Its prompt and its answer. */
  tokenIds: Int32Array;
  /** How many of the new prompt's messages they stand for. */
  messageCount: number;
}

/** The facts with which a session is created. */
export interface SessionInit {
  sessionId: string;
  /** The trainer's notes, to be found again with the session. */
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Sampling parameters that win over what the agent's calls say. */
  samplingParams?: Readonly<Record<string, unknown>> | undefined;
}

/** A session as the store knows it. */
export interface StoredSession {
  readonly sessionId: string;
  /** When it was created, or created again; for a session that only captures made, when the first one was stored. */
  readonly createdAtMs: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly samplingParams: Readonly<Record<string, unknown>>;
  readonly captureCount: number;
  /** Captures whose capture is not `complete`: what a trainer must not train on unseen. */
  readonly incompleteCount: number;
  /** Store time of the first and the last capture, milliseconds since the Unix epoch. */
  readonly firstCaptureAtMs: number | undefined;
  readonly lastCaptureAtMs: number | undefined;
  /** True if `finishSession` was called since it was created. Finished sessions make room first. */
  readonly finished: boolean;
}

/** Which part of a list is asked for. */
export interface CaptureRange {
  /** Store time, milliseconds since the Unix epoch: what was stored then or later. */
  sinceMs?: number | undefined;
  /** At most so many, from the beginning of the list. */
  limit?: number | undefined;
}

/** Content and refusals of a store, for metrics. The counts of events begin with the process. */
export interface CaptureStoreStats {
  readonly sessions: number;
  readonly captures: number;
  /** Size of the captures: in memory, or on disk. */
  readonly bytes: number;
  /** Deleted, expired or evicted sessions whose late captures are still recognised. */
  readonly tombstones: number;
  /** Late captures of deleted sessions. */
  readonly droppedCaptures: number;
  /** Captures that came again under an id that is stored already. */
  readonly duplicateCaptures: number;
  /** Sessions that made room, and the captures they had. */
  readonly evictedSessions: number;
  readonly evictedCaptures: number;
  /** Sessions that outlived `ttlMs`. */
  readonly expiredSessions: number;
}

/**
 * Where the gateway keeps captures and what it knows of sessions. Implemented by `MemoryCaptureStore` and `DiskCaptureStore`;
 * `captureStoreChecks` checks whether another implementation behaves.
 *
 * A deleted session stays deleted: a late capture of it is dropped and counted. Only `createSession` brings the id back, and
 * then only for calls that arrived after it had been deleted. After `close()` every method rejects with `ART_CLOSED`.
 */
export interface CaptureStore {
  /**
   * Stores captures of one session, all or none. When it resolves they can be read, and survive what the store promises to survive. A
   * session that is not known is made on the way.
   * @throws ArtError `ART_GATEWAY_STORE_FULL` no room, and no session that may be evicted or no space on the disk;
   * `ART_GATEWAY_SESSION_GONE` the session was evicted or expired, so the capture would stand without its beginning;
   * `ART_GATEWAY_STORE_FAILED`
   */
  append(captures: readonly NewCapture[]): Promise<void>;

  /**
   * Creates a session, or creates it again: `createdAtMs` is set anew, captures are kept, metadata and sampling parameters
   * are replaced where the new ones are not empty.
   */
  createSession(init: SessionInit): Promise<StoredSession>;

  /** Undefined where it was never created and has no capture. */
  session(sessionId: string): Promise<StoredSession | undefined>;

  /**
   * True if a session was deleted and not created again, as far back as the store remembers, also over a restart.
   * Without it, a call that comes after a restart brings a deleted session back.
   */
  isDeleted(sessionId: string): Promise<boolean>;

  /** Sessions with at least one capture, by the time of their first capture, newest first; `sinceMs` compares that time. */
  sessions(range?: CaptureRange): Promise<StoredSession[]>;

  /**
   * A session's captures in the order in which they were stored, each with its `prefix`; empty for a session that is not known.
   */
  capturesOf(sessionId: string, range?: CaptureRange): Promise<Capture[]>;

  capture(captureId: string): Promise<Capture | undefined>;

  /**
   * The turn of a session that a prompt continues from: one with the scope in `continuedIn` whose messages and answer are the
   * first ones of the prompt, as `canonicalMessage` of `@art/trajectories` has it, and not all. The longest counts, of
   * equally long ones the last.
   */
  turnBefore(sessionId: string, prompt: PromptMessages): Promise<TurnBefore | undefined>;

  /**
   * Marks a session as done: it is among the first to make room. Captures may still be added. False if it is not known.
   * @param metadata take the place of those that it has
   */
  finishSession(sessionId: string, metadata?: Readonly<Record<string, unknown>>): Promise<boolean>;

  /** Deletes sessions and their captures; how many captures there were in all. */
  deleteSessions(sessionIds: readonly string[]): Promise<number>;

  /** Resolves when everything that was asked for before is stored as safely as the store can. */
  flush(): Promise<void>;

  stats(): CaptureStoreStats;

  /** Finishes what is under way and closes files. Idempotent. */
  close(): Promise<void>;
}
