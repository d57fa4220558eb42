import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { isJsonObject, parseJson, stringifyJson } from '@art/protocol';
import type { FastifyReply } from 'fastify';
import { readCapped } from './read-capped.ts';

/**
 * Hands the state of an invocation on; where a fresh process answers for one that has died, with what became of that one
 * as `reason`. AgentCore cannot tell; clients of the protocol pass over what they do not know.
 * @returns what the agent answered
 */
export async function relayState(
  response: IncomingMessage,
  reply: FastifyReply,
  ownHeaders: OutgoingHttpHeaders,
  reason: string,
): Promise<string> {
  const body = await readCapped(response, Number.POSITIVE_INFINITY);
  await reply
    .headers(ownHeaders)
    .type(response.headers['content-type'] ?? 'application/json')
    .send(withReason(body, reason));
  return body;
}

function withReason(body: string, reason: string): string {
  try {
    const state = parseJson(body);
    const isOver =
      isJsonObject(state) && (state['status'] === 'interrupted' || state['status'] === 'not_found');
    return isOver ? stringifyJson({ ...state, reason }) : body;
  } catch {
    return body;
  }
}
