import { runtimeHeaders } from '@art/protocol';
import { type DataPlaneRoute, maxControlBodyBytes } from './data-plane.ts';
import { jsonBody } from './json-body.ts';

/** StopRuntimeSession. Answers at once; the process gets its grace after. */
export const stopRoute: DataPlaneRoute = {
  method: 'POST',
  path: '/stopruntimesession',
  maxBodyBytes: maxControlBodyBytes,
  needsSession: true,
  answer: async ({ agent, sessionId, body, reply, hangUp }, { limits, faults, table }) => {
    const { clientToken } = jsonBody(body);
    limits.admitCall();
    const fault = faults?.onRequest('stop', agent.name, sessionId);
    await fault?.before(hangUp);
    table.stop(agent, sessionId, typeof clientToken === 'string' ? clientToken : undefined);
    await fault?.after(hangUp);
    return reply
      .code(200)
      .header('content-type', 'application/json')
      .header(runtimeHeaders.sessionId, sessionId)
      .send('{}');
  },
};
