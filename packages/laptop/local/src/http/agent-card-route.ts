import { isJsonObject, parseJson, stringifyJson } from '@art/ground';
import { runtimeHeaders } from '@art/protocol';
import type { SessionAgent } from '../process/local-agent.ts';
import { type DataPlaneRoute, maxControlBodyBytes } from './data-plane.ts';
import { deliveryOf } from './delivery.ts';
import { readCapped, relayToAgent } from './relay-to-agent.ts';

const maxCardBytes = 1_048_576;

/** GetAgentCard. The agent's own card, with its `url` replaced by the address under which the runtime can be reached. */
export const agentCardRoute: DataPlaneRoute = {
  method: 'GET',
  path: '/invocations/.well-known/agent-card.json',
  maxBodyBytes: maxControlBodyBytes,
  answer: async (call, context) => {
    const { agent, sessionId, reply } = call;
    context.limits.admitCall();
    const session = context.table.open(agent, sessionId);
    using _request = session.beginRequest();
    const path = '/.well-known/agent-card.json';
    const response = await relayToAgent(session, deliveryOf(call, context.settings, { method: 'GET', path }));
    return await reply
      .code(response.statusCode ?? 200)
      .header('content-type', 'application/json')
      .header(runtimeHeaders.sessionId, sessionId)
      .send(withRuntimeUrl(await readCapped(response, maxCardBytes), context.endpoint(), agent));
  },
};

function withRuntimeUrl(text: string, endpoint: string, agent: SessionAgent): string {
  try {
    const card = parseJson(text);
    if (!isJsonObject(card) || card['url'] === undefined) return text;
    const url = `${endpoint}/runtimes/${encodeURIComponent(agent.arn)}/invocations/`;
    return stringifyJson({ ...card, url });
  } catch {
    return text;
  }
}
