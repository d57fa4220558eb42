import type { IncomingHttpHeaders } from 'node:http';
import { findString } from '../json-bytes/find-value.ts';
import { JsonSyntaxError } from '../json-bytes/json-syntax-error.ts';
import type { LiveSessions } from './live-sessions.ts';
import type { SessionKeys } from './session-keys.ts';

/** Longest session id; URLs have to hold it. */
const maxSessionIdLength = 512;

/** Ids of trainers contain `/`, `:` and blanks; control characters would forge log lines and headers. */
export function isGatewaySessionId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= maxSessionIdLength &&
    // eslint-disable-next-line no-control-regex -- they are what is looked for
    !/[\u0000-\u001f\u007f]/.test(value) &&
    value.isWellFormed()
  );
}

/** The expected form of a session id, for messages. */
export const sessionIdRule = `1 to ${maxSessionIdLength} characters without control characters`;

/**
 * The path of a session's API, `/sessions/{sid}/v1`. `/` and `:` stay readable, as trainers build the same path by hand;
 * only what would end the path or change when it is decoded is escaped.
 */
export function sessionPath(sessionId: string): string {
  return `/sessions/${sessionId.replace(/[%?#\\\s"<>^`{|}]/g, encodeURIComponent)}/v1`;
}

/** Where a call may name its session. */
interface SessionClues {
  /** From the URL. */
  urlSessionId: string | undefined;
  headers: IncomingHttpHeaders;
  body: Uint8Array;
}

/** Where a body may name its session; the first one that is given counts. */
const bodyPaths = [['metadata', 'session_id'], ['proxy_x_session_id']] as const;
const rllmPaths = [
  ['metadata', 'rllm', 'session_id'],
  ['rllm', 'session_id'],
] as const;

/** The session that the clues name. */
export interface SessionIdentity {
  sessionId: string | undefined;
  /** True if the API key is one of the gateway's own, so that no engine gets to see it. */
  ownKey: boolean;
  /** The session that a valid key of ours is for. */
  keySessionId: string | undefined;
}

/** Knows which sessions there are. */
type SessionLookup = Pick<LiveSessions, 'has'>;

/** Takes every name for that of a session. */
export const anySession: SessionLookup = { has: () => Promise.resolve(true) };

/** The first one that is given names the session. */
const sessionHeaders = [
  'x-art-session-id',
  'x-session-id',
  'x-rllm-session-id',
  'x-amzn-bedrock-agentcore-runtime-session-id',
] as const;

/**
 * Finds out whose call it is: URL, then header, then API key, then body. Keys, and `user` in the body, count only if a
 * session of that name is known, as both usually are something else.
 */
export async function identifySession(
  clues: SessionClues,
  keys: SessionKeys,
  sessions: SessionLookup,
): Promise<SessionIdentity> {
  const key = apiKeyOf(clues.headers);
  const reading = key === undefined ? ({ kind: 'none' } as const) : keys.read(key);
  const keySessionId = reading.kind === 'valid' ? reading.sessionId : undefined;
  const identity = { ownKey: reading.kind !== 'none', keySessionId };
  const named = clues.urlSessionId ?? headerSessionId(clues.headers) ?? keySessionId;
  if (named !== undefined) return { ...identity, sessionId: named };
  if (key !== undefined && reading.kind === 'none' && (await sessions.has(key))) {
    return { sessionId: key, ownKey: true, keySessionId: undefined };
  }
  return { ...identity, sessionId: await bodySessionId(clues.body, sessions) };
}

/** The key of `Authorization: Bearer` or `x-api-key`. */
export function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
  const header = headers['x-api-key'];
  return bearer ?? (typeof header === 'string' && header !== '' ? header : undefined);
}

function headerSessionId(headers: IncomingHttpHeaders): string | undefined {
  for (const name of sessionHeaders) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

// Most bodies have none of these names, and a search over the bytes costs next to nothing.
async function bodySessionId(body: Uint8Array, sessions: SessionLookup): Promise<string | undefined> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  try {
    if (bytes.includes('session_id"')) {
      for (const path of bytes.includes('"rllm"') ? [...bodyPaths, ...rllmPaths] : bodyPaths) {
        const named = findString(body, path);
        if (named !== undefined && named !== '') return named;
      }
    }
    if (!bytes.includes('"user"')) return undefined;
    const user = findString(body, ['user']);
    return user !== undefined && user !== '' && (await sessions.has(user)) ? user : undefined;
  } catch (error) {
    // What is no JSON names nobody; whether it is passed on is decided elsewhere.
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
