import { isJsonObject, parseJson, runtimeHeaders, stringifyJson } from '@art/protocol';
import type { FastifyReply } from 'fastify';
import type { LocalAgent } from '../process/local-agent.ts';
import { callerHangUp } from './caller-hang-up.ts';
import type { DataPlaneContext } from './data-plane-context.ts';
import type { DataPlaneRequest } from './data-plane-request.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { readCapped } from './read-capped.ts';
import { relayToAgent } from './relay-to-agent.ts';
import { sessionIdOf } from './session-id-header.ts';

const maxCardBytes = 1_048_576;

/**
 * GetAgentCard: `GET /runtimes/{arn}/invocations/.well-known/agent-card.json`. The agent's own card, with its `url`
 * replaced by the address under which the runtime can be reached.
 */
export async function agentCardRoute(
  context: DataPlaneContext,
  request: DataPlaneRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const agent = context.directory.find(request.params.agent, request.query.accountId);
  const sessionId = sessionIdOf(request.headers[runtimeHeaders.sessionId]);
  context.limits.admitCall();
  const hangUp = callerHangUp(reply);
  const session = context.table.open(agent, sessionId);
  const endRequest = session.beginRequest();
  try {
    const response = await relayToAgent(session, {
      method: 'GET',
      path: '/.well-known/agent-card.json',
      headers: forwardedHeaders({
        headers: request.headers,
        sessionId,
        requestId: request.id,
        region: context.region,
        contentLength: 0,
        allowedHeaders: agent.allowedHeaders,
      }),
      timeoutMs: context.requestTimeoutMs,
      streamTimeoutMs: context.requestTimeoutMs,
      signal: hangUp,
    });
    return await reply
      .code(response.statusCode ?? 200)
      .header('content-type', 'application/json')
      .header(runtimeHeaders.sessionId, sessionId)
      .send(withRuntimeUrl(await readCapped(response, maxCardBytes), context.endpoint(), agent));
  } finally {
    endRequest();
  }
}

function withRuntimeUrl(text: string, endpoint: string, agent: LocalAgent): string {
  try {
    const card = parseJson(text);
    if (!isJsonObject(card) || card['url'] === undefined) return text;
    const url = `${endpoint}/runtimes/${encodeURIComponent(agent.arn)}/invocations/`;
    return stringifyJson({ ...card, url });
  } catch {
    return text;
  }
}
