import { parseJson, stringifyJson } from '@art/protocol';
import type { SessionEnd } from '../retention.ts';
import type { SessionInit } from '../trace-store.ts';
import { frameKinds } from './frame.ts';
import type { NewFrame } from './frame-file.ts';

/** What happened to a session: in its own file, and its end among the ended ones. */
export type SessionRecord =
  | { event: 'create'; atMs: number; init: SessionInit }
  | { event: 'finish'; atMs: number; sessionId: string }
  | { event: 'end'; atMs: number; sessionId: string; end: SessionEnd };

/** @throws ArtError `ART_JSON_WRITE` if metadata or sampling parameters are not JSON */
export function sessionFrame(record: SessionRecord): NewFrame {
  return { kind: frameKinds.session, body: Buffer.from(stringifyJson(record)) };
}

export function decodeSessionRecord(body: Buffer): SessionRecord {
  return parseJson(body.toString()) as unknown as SessionRecord;
}
