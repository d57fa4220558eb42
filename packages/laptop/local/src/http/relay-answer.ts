import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isJsonObject, parseJson, stringifyJson } from '@art/ground';
import { runtimeHeaders } from '@art/protocol';
import type { FastifyReply } from 'fastify';
import { readCapped } from './relay-to-agent.ts';

/** Response headers of a container that the service hands on. Source: InvokeAgentRuntime in the service model. */
const relayedHeaders = [
  'content-type',
  'content-length',
  'mcp-session-id',
  'mcp-protocol-version',
  runtimeHeaders.traceId,
  'traceparent',
  'tracestate',
  runtimeHeaders.baggage,
];

const headBytes = 512;

/**
 * Hands an agent's answer on as it comes. Past Fastify: it would hold the head back until the first byte of a stream whose
 * first event may be minutes away.
 * @param onHead called with the first bytes
 */
export async function relayAnswer(
  response: IncomingMessage,
  reply: FastifyReply,
  ownHeaders: OutgoingHttpHeaders,
  onHead: (head: string) => void,
): Promise<void> {
  const headers: OutgoingHttpHeaders = { ...ownHeaders };
  for (const name of relayedHeaders) {
    const value = response.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  reply.hijack();
  reply.raw.writeHead(response.statusCode ?? 200, headers);
  reply.raw.flushHeaders();
  try {
    await pipeline(response, tellHead(onHead), reply.raw);
  } catch {
    // The agent died or the caller left in mid-answer: the torn connection is all that can still be said.
    reply.raw.destroy();
  }
}

function tellHead(onHead: (head: string) => void) {
  return async function* (answer: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let isFirst = true;
    for await (const chunk of answer) {
      if (isFirst) onHead(chunk.toString('latin1', 0, headBytes));
      isFirst = false;
      yield chunk;
    }
  };
}

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
