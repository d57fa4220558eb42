import { stringifyJson } from '@art/ground';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestObject } from '../request-fields.ts';
import { registerPath, wildcard } from '../register-path.ts';
import type { GatewayServices } from '../../calls/call/gateway-services.ts';
import { finishSession, sessionStatus } from '../../sessions/finish-session.ts';
import { sessionPath } from '../../sessions/identify-session.ts';
import { captureRecords, readRecordFormat } from './row-export.ts';
import { readFinish, readTrajectoryInit } from './trajectory-body.ts';
import { statusRecord, summaryRecord } from './trajectory-record.ts';

const finishSuffix = '/finish';

/** `/trajectories`: sessions with limits, which end in rows; as sessions they are exported and deleted. Ids may hold `/`, so what follows the id is recognised by the end of the path. */
export function registerTrajectoryRoutes(app: FastifyInstance, services: GatewayServices): void {
  registerPath(app, '/trajectories', {
    POST: (request, reply) => createTrajectory(services, request, reply),
  });
  registerPath(app, '/trajectories/*', {
    GET: (request) => getTrajectory(services, request),
    POST: (request, reply) => finishTrajectory(services, request, reply),
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

async function getTrajectory(services: GatewayServices, request: FastifyRequest): Promise<string> {
  const sessionId = wildcard(request);
  const status = await sessionStatus(services, sessionId);
  return stringifyJson({ ...statusRecord(status), api_key: agentKey(services, sessionId) });
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
    reply.code(405).header('allow', 'GET');
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
