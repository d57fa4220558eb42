import { parseJson, stringifyJson } from '@art/protocol';
import type { SessionEnd } from '../retention.ts';
import type { SessionInit } from '../trace-store.ts';

/**
 * What happened to a session, as the log has it.
 * - `create`, `finish`, `end`: what the methods of the store do.
 * - `state`: a session as it is, written where an older segment that held its history is given up.
 */
export type SessionRecord =
  | { event: 'create'; atMs: number; init: SessionInit }
  | { event: 'finish'; atMs: number; sessionId: string }
  | { event: 'end'; atMs: number; sessionId: string; end: SessionEnd }
  | {
      event: 'state';
      sessionId: string;
      createdAtMs: number;
      activeAtMs: number;
      /** Absent for a session whose name was not used before. */
      acceptFromMs?: number | undefined;
      finished: boolean;
      metadata: Readonly<Record<string, unknown>>;
      samplingParams: Readonly<Record<string, unknown>>;
    };

/** @throws ArtError `ART_JSON_WRITE` if metadata or sampling parameters are not JSON */
export function encodeSessionRecord(record: SessionRecord): Buffer {
  return Buffer.from(stringifyJson(record));
}

export function decodeSessionRecord(body: Buffer): SessionRecord {
  return parseJson(body.toString()) as unknown as SessionRecord;
}

export function recordedSessionId(record: SessionRecord): string {
  return record.event === 'create' ? record.init.sessionId : record.sessionId;
}
