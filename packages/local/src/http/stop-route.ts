import { runtimeHeaders } from '@art/protocol';
import { type DataPlaneContext, type DataPlaneRoute, maxControlBodyBytes } from './data-plane.ts';
import { jsonBody } from './json-body.ts';

/** StopRuntimeSession. Answers at once; the process gets its grace after. */
export const stopRoute: DataPlaneRoute = {
  method: 'POST',
  path: '/stopruntimesession',
  maxBodyBytes: maxControlBodyBytes,
  needsSession: true,
  answer: async ({ agent, sessionId, body, reply, hangUp }, context) => {
    const { clientToken } = jsonBody(body);
    context.limits.admitCall();
    const fault = context.faults?.onRequest('stop', agent.name, sessionId);
    await fault?.before(hangUp);
    const token = typeof clientToken === 'string' ? clientToken : undefined;
    stopAndLog(context, () => context.table.stop(agent, sessionId, token), {
      agent: agent.name,
      sessionId,
    });
    await fault?.after(hangUp);
    return reply
      .code(200)
      .header('content-type', 'application/json')
      .header(runtimeHeaders.sessionId, sessionId)
      .send('{}');
  },
};

function stopAndLog(
  { log }: DataPlaneContext,
  stop: () => void,
  event: { agent: string; sessionId: string },
): void {
  try {
    stop();
    log.add({ kind: 'stop', ...event, outcome: 'stopped' });
  } catch (error) {
    log.add({ kind: 'stop', ...event, outcome: 'not_found' });
    throw error;
  }
}
