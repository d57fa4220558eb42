import { runtimeHeaders } from '@art/protocol';
import type { FastifyReply } from 'fastify';
import type { DataPlaneContext } from './data-plane-context.ts';
import type { DataPlaneRequest } from './data-plane-request.ts';
import { jsonBody } from './json-body.ts';
import { requireSessionId } from './session-id-header.ts';

/** StopRuntimeSession: `POST /runtimes/{arn}/stopruntimesession`. Answers at once; the process gets its grace after. */
export async function stopRoute(
  context: DataPlaneContext,
  request: DataPlaneRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const agent = context.directory.find(request.params.agent, request.query.accountId);
  const sessionId = requireSessionId(request.headers[runtimeHeaders.sessionId]);
  const { clientToken } = jsonBody(request.body);
  context.limits.admitCall();
  context.metrics.attemptsOf(agent.name, sessionId).stops += 1;
  context.table.stop(agent, sessionId, typeof clientToken === 'string' ? clientToken : undefined);
  return reply
    .code(200)
    .header('content-type', 'application/json')
    .header(runtimeHeaders.sessionId, sessionId)
    .send('{}');
}
