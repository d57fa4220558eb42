import type { LiveSession } from '../../sessions/live-session.ts';
import { ownMetadata } from '../../sessions/stored-trajectory.ts';
import type { StoredSession } from '../../store/capture-store.ts';
import { custom, optional, stringifyJson } from '@art/ground';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { exportedSession, sendExport } from './row-export.ts';
import { isGatewaySessionId, sessionIdRule, sessionPath } from '../../sessions/identify-session.ts';
import { aJsonObject, type Fields, readFields, requestObject, textList } from '../request-fields.ts';
import {
  rangeOf,
  rangeRules,
  readCaptures,
  captureFormat,
  captureList,
  captureRules,
} from './capture-routes.ts';
import { registerPath, wildcard } from '../register-path.ts';
import type { GatewayServices } from '../../calls/call/gateway-services.ts';

/** A session as it goes over the wire; the fields behind `metadata` are additions to rllm-model-gateway's. */
function sessionRecord(session: StoredSession, live: LiveSession | undefined): Record<string, unknown> {
  return {
    session_id: session.sessionId,
    trace_count: session.captureCount,
    created_at: session.createdAtMs / 1_000,
    metadata: ownMetadata(session.metadata),
    first_trace_at: session.firstCaptureAtMs === undefined ? null : session.firstCaptureAtMs / 1_000,
    incomplete_count: session.incompleteCount,
    active_calls: live?.calls.total ?? 0,
    failed_calls: live?.failedCalls ?? null,
    kept_answers: live?.keptAnswers ?? null,
    abandoned_calls: live?.abandonedCalls ?? null,
    finished: session.finished,
  };
}

/** Everything below `/sessions` that is not the model API. Ids may hold `/`, so what follows the id is recognised by the end of the path. */
export function registerSessionRoutes(app: FastifyInstance, services: GatewayServices): void {
  registerPath(app, '/sessions', {
    POST: (request) => createSession(services, request),
    GET: (request) => listSessions(services, request),
  });
  registerPath(app, '/sessions/batch_delete', {
    POST: (request) => deleteSessions(services, request),
    GET: (request, reply) => getSession(services, 'batch_delete', request, reply),
    DELETE: () => deleteSession(services, 'batch_delete'),
  });
  registerPath(app, '/sessions/*', {
    GET: (request, reply) => getSession(services, wildcard(request), request, reply),
    DELETE: (request) => deleteSession(services, wildcard(request)),
  });
}

const aSessionId = optional(custom<string>(sessionIdRule, isGatewaySessionId));

const sessionRules = {
  // Python's clients leave out what they have not, or send null or an empty text.
  sessionId: (given: unknown, field: string) => aSessionId(given === '' ? undefined : given, field),
  metadata: optional(aJsonObject),
  samplingParams: optional(aJsonObject),
};

async function createSession(services: GatewayServices, request: FastifyRequest): Promise<string> {
  const { sessionId } = await services.sessions.create(readFields(requestObject(request), sessionRules));
  return JSON.stringify({
    session_id: sessionId,
    url: sessionPath(sessionId),
    api_key: services.keys.keyOf(sessionId),
  });
}

async function listSessions(services: GatewayServices, request: FastifyRequest): Promise<string> {
  const sessions = await services.store.sessions(rangeOf(readFields(request.query as Fields, rangeRules)));
  return stringifyJson(
    sessions.map((session) => sessionRecord(session, services.sessions.known(session.sessionId))),
  );
}

async function getSession(
  services: GatewayServices,
  rest: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | undefined> {
  if (rest === '') return await listSessions(services, request);
  const suffix = '/traces';
  if (rest.endsWith(suffix) && rest.length > suffix.length) {
    const { format, ...query } = readFields(request.query as Fields, {
      ...captureRules,
      format: captureFormat,
    });
    return captureList(await readCaptures(services, rest.slice(0, -suffix.length), query), format);
  }
  const exported = exportedSession(rest);
  if (exported !== undefined) return await sendExport(services, exported, request, reply);
  const session = await services.store.session(rest);
  if (session !== undefined) return stringifyJson(sessionRecord(session, await services.sessions.find(rest)));
  reply.code(404);
  return JSON.stringify({ error: `Session ${rest} not found` });
}

async function deleteSession({ sessions }: GatewayServices, sessionId: string): Promise<string> {
  return JSON.stringify({ deleted: await sessions.delete([sessionId]) });
}

async function deleteSessions({ sessions }: GatewayServices, request: FastifyRequest): Promise<string> {
  const { sessionIds } = readFields(requestObject(request), { sessionIds: optional(textList, []) });
  return JSON.stringify({ deleted: await sessions.delete(sessionIds.filter((id) => id !== '')) });
}
