import { randomUUID } from 'node:crypto';
import { isJsonObject, parseJson, stringifyJson } from '@art/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { InvalidField } from '../../server/invalid-field.ts';
import { registerPath } from '../../server/register-path.ts';
import { requestObject } from '../../server/request-object.ts';
import { traceRange } from '../../server/trace-range.ts';
import type { FrontContext } from '../front-context.ts';
import { askShard } from '../shards.ts';
import { firstRefusal, passedOn, relayAnswer } from './relay-answer.ts';

/** What of `/sessions` and `/trajectories` is about no session yet, or about several. */
export function registerFrontSessionRoutes(app: FastifyInstance, context: FrontContext): void {
  registerPath(app, '/sessions', {
    POST: (request, reply) => createSession(context, request, reply),
    GET: (request, reply) => listSessions(context, request, reply),
  });
  registerPath(app, '/sessions/batch_delete', {
    POST: (request, reply) => deleteSessions(context, request, reply),
  });
  registerPath(app, '/trajectories', {
    POST: (request, reply) => createTrajectory(context, request, reply),
  });
}

async function createSession(
  { shards }: FrontContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const body = requestObject(request);
  const { session_id: given } = body;
  if (given !== undefined && given !== null && given !== '') {
    // What is no text is refused by any process.
    const sessionId = typeof given === 'string' ? given : '';
    return relayAnswer(reply, await shards.askOf(sessionId, passedOn(request)));
  }
  // The id decides about the process, so it is not left to a process to make one.
  const sessionId = randomUUID();
  const named = Buffer.from(stringifyJson({ ...body, session_id: sessionId }));
  return relayAnswer(reply, await shards.askOf(sessionId, passedOn(request, named)));
}

async function createTrajectory(
  { shards }: FrontContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { session_id: given } = requestObject(request);
  const sessionId = typeof given === 'string' ? given : '';
  return relayAnswer(reply, await shards.askOf(sessionId, passedOn(request)));
}

async function listSessions(
  { shards }: FrontContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { since, limit } = request.query as Record<string, unknown>;
  const range = traceRange(since, limit);
  const answers = await shards.askAll(passedOn(request));
  const refusal = firstRefusal(answers);
  if (refusal !== undefined) return relayAnswer(reply, refusal);
  const sessions = answers
    .flatMap(({ body }) => parseJson(body.toString()) as unknown[])
    .filter(isJsonObject)
    .toSorted((one, other) => Number(other['first_trace_at']) - Number(one['first_trace_at']));
  return stringifyJson(range.limit === undefined ? sessions : sessions.slice(0, range.limit));
}

async function deleteSessions(
  { shards }: FrontContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const ids = requestObject(request)['session_ids'] ?? [];
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) {
    throw new InvalidField('session_ids', 'a list of texts', ids);
  }
  const byShard = Map.groupBy(ids, (id) => shards.of(id));
  const answers = await Promise.all(
    Array.from(byShard, ([shard, sessionIds]) =>
      askShard(shard, passedOn(request, Buffer.from(JSON.stringify({ session_ids: sessionIds })))),
    ),
  );
  const refusal = firstRefusal(answers);
  if (refusal !== undefined) return relayAnswer(reply, refusal);
  const counts = answers.map(({ body }) => (JSON.parse(body.toString()) as { deleted: number }).deleted);
  return JSON.stringify({ deleted: counts.reduce((sum, count) => sum + count, 0) });
}
