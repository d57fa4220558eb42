import type { IncomingMessage } from 'node:http';
import type { ProxyTarget } from '../proxy/proxy-path.ts';
import { ApiError } from '../proxy/api-error.ts';
import { readRequestBody } from '../proxy/read-request-body.ts';
import { anySession, apiKeyOf, identifySession, type SessionLookup } from '../sessions/identify-session.ts';
import type { FrontContext } from './front-context.ts';
import type { ShardProcess } from './shard-process.ts';
import { askShard } from './shards.ts';

/** Where a call of the model API goes. */
export interface RoutedCall {
  shard: ShardProcess;
  /** What was read of it to find that out: all, or nothing. */
  body: Buffer | undefined;
}

const noBody = Buffer.alloc(0);

/**
 * Finds the process of a call's session by the same rules by which that process finds the session. The body is read only
 * where neither URL, nor header, nor key names one.
 * @throws ApiError 400, 413, 415, 502, 503
 */
export async function routeCall(
  context: FrontContext,
  request: IncomingMessage,
  target: ProxyTarget,
): Promise<RoutedCall> {
  const { shards, keys } = context;
  const lookup = context.sessionsFromKeys ? anySession : rememberingLookup(context);
  const clues = { urlSessionId: target.sessionId, headers: request.headers };
  const named = await identifySession({ ...clues, body: noBody }, keys, lookup);
  if (named.sessionId !== undefined) return { shard: shards.of(named.sessionId), body: undefined };
  if (request.destroyed) throw new ApiError({ status: 400, message: 'The connection broke in mid-request.' });
  const body = await readRequestBody(request, context.bodyLimitBytes);
  const { sessionId } = await identifySession({ ...clues, body }, keys, lookup);
  return { shard: shards.of(sessionId ?? callerOf(request)), body };
}

/** Whom a call without a session comes from: what it names of its earlier ones is known in one process. */
function callerOf(request: IncomingMessage): string {
  return apiKeyOf(request.headers) ?? request.socket.remoteAddress ?? '';
}

/** Asks for each name once. */
function rememberingLookup({ shards, headers }: FrontContext): SessionLookup {
  const known = new Map<string, Promise<boolean>>();
  const ask = async (sessionId: string): Promise<boolean> => {
    const path = `/sessions/${encodeURIComponent(sessionId)}`;
    const { status } = await askShard(shards.of(sessionId), { method: 'GET', path, headers: [...headers] });
    return status === 200;
  };
  return {
    has(sessionId) {
      const answer = known.get(sessionId) ?? ask(sessionId);
      known.set(sessionId, answer);
      return answer;
    },
  };
}
