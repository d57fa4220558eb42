import { stringifyJson } from '@art/ground';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestObject } from '../request-fields.ts';
import { registerPath, wildcard } from '../register-path.ts';
import type { GatewayServices } from '../../calls/call/gateway-services.ts';
import { finishSession, sessionStatus } from '../../sessions/finish-session.ts';
import { sessionPath } from '../../sessions/identify-session.ts';
import { exportedSession, readRecordFormat, sendExport, captureRecords } from './row-export.ts';
import { readFinish, readTrajectoryInit } from './trajectory-body.ts';
import { statusRecord, summaryRecord } from './trajectory-record.ts';

const finishSuffix = '/finish';

/** `/trajectories`: sessions with limits, which end in rows. Ids may hold `/`, so what follows the id is recognised by the end of the path. */
export function registerTrajectoryRoutes(app: FastifyInstance, services: GatewayServices): void {
  registerPath(app, '/trajectories', {
    POST: (request, reply) => createTrajectory(services, request, reply),
  });
  registerPath(app, '/trajectories/*', {
    GET: (request, reply) => getTrajectory(services, request, reply),
    POST: (request, reply) => finishTrajectory(services, request, reply),
    DELETE: (request, reply) => deleteTrajectory(services, request, reply),
  });
}

async function createTrajectory(
  services: GatewayServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const init = readTrajectoryInit(requestObject(request));
  await services.sessions.createTrajectory(init);
  reply.code(201);
  const { sessionId } = init;
  return JSON.stringify({
    session_id: sessionId,
    api_key: agentKey(services, sessionId),
    base_url: `${request.protocol}://${request.host}${sessionPath(sessionId)}`,
  });
}

async function getTrajectory(
  services: GatewayServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | undefined> {
  const rest = wildcard(request);
  const exported = exportedSession(rest);
  if (exported !== undefined) return await sendExport(services, exported, request, reply);
  const status = await sessionStatus(services, rest);
  return stringifyJson({ ...statusRecord(status), api_key: agentKey(services, rest) });
}

/** The key of a session's agent. It is derived, so that a lost answer can be repeated. */
function agentKey({ options, keys }: GatewayServices, sessionId: string): string | null {
  return options.auth.sessionKeys ? keys.keyOf(sessionId) : null;
}

async function finishTrajectory(
  services: GatewayServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const rest = wildcard(request);
  if (!rest.endsWith(finishSuffix) || rest.length === finishSuffix.length) {
    reply.code(405).header('allow', 'GET, DELETE');
    return JSON.stringify({ detail: 'Method Not Allowed' });
  }
  const sessionId = rest.slice(0, -finishSuffix.length);
  const body = requestObject(request);
  const format = readRecordFormat(body);
  const finished = await finishSession(services, sessionId, readFinish(body));
  const { rows, summary } = finished;
  if (summary.trainedTokens === 0 && summary.notChosenTurns > 0) {
    const because = new Set(summary.masked.flatMap(({ problems }) => problems.slice(0, 1)));
    services.log.warn(
      { sessionId, turns: summary.turns, notChosenTurns: summary.notChosenTurns, because: [...because] },
      'nothing of the session trains: see `trains` of its trajectory',
    );
  }
  const records = format === 'rows' ? rows : await captureRecords(services, sessionId, summary.turns);
  return stringifyJson({ session_id: sessionId, records, summary: summaryRecord(finished) });
}

async function deleteTrajectory(
  { sessions }: GatewayServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const sessionId = wildcard(request);
  const isKnown = await sessions.has(sessionId);
  const deleted = await sessions.delete([sessionId]);
  if (!isKnown && deleted === 0) {
    reply.code(404);
    return JSON.stringify({ error: `Trajectory ${sessionId} not found` });
  }
  return JSON.stringify({ deleted });
}
