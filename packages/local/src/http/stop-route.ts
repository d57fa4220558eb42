import { runtimeHeaders } from '@art/protocol';
import type { FastifyReply } from 'fastify';
import type { LocalAgent } from '../process/local-agent.ts';
import { callerHangUp } from './caller-hang-up.ts';
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
  const hangUp = callerHangUp(reply);
  const fault = context.faults?.onRequest('stop', agent.name, sessionId);
  await fault?.before(hangUp);
  context.metrics.attemptsOf(agent.name, sessionId).stops += 1;
  stopAndLog(context, agent, sessionId, typeof clientToken === 'string' ? clientToken : undefined);
  await fault?.after(hangUp);
  return reply
    .code(200)
    .header('content-type', 'application/json')
    .header(runtimeHeaders.sessionId, sessionId)
    .send('{}');
}

function stopAndLog(
  { table, log }: DataPlaneContext,
  agent: LocalAgent,
  sessionId: string,
  clientToken: string | undefined,
): void {
  const event = { kind: 'stop' as const, agent: agent.name, sessionId };
  try {
    table.stop(agent, sessionId, clientToken);
    log.add({ ...event, outcome: 'stopped' });
  } catch (error) {
    log.add({ ...event, outcome: 'not_found' });
    throw error;
  }
}
