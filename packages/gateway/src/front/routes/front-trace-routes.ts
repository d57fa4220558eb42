import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { InvalidField } from '../../server/invalid-field.ts';
import { registerPath } from '../../server/register-path.ts';
import { requestObject } from '../../server/request-object.ts';
import type { FrontContext } from '../front-context.ts';
import type { ShardAnswer } from '../shard-link.ts';
import { firstRefusal, passedOn, relayAnswer } from './relay-answer.ts';

/** `GET /traces/{id}` and `POST /traces/query`. */
export function registerFrontTraceRoutes(app: FastifyInstance, context: FrontContext): void {
  registerPath(app, '/traces/query', { POST: (request, reply) => queryTraces(context, request, reply) });
  registerPath(app, '/traces/:traceId', { GET: (request, reply) => getTrace(context, request, reply) });
}

async function getTrace(
  { shards }: FrontContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const answers = await shards.askAll(passedOn(request));
  return relayAnswer(reply, answers.find(({ status }) => status === 200) ?? answers[0]!);
}

/** So many sessions are asked for at once. */
const queryWidth = 32;

// One question for each session keeps the order of the list, and no trace is read and written again here.
async function queryTraces(
  { shards }: FrontContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const query = requestObject(request);
  const { session_ids: ids = [] } = query;
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) {
    throw new InvalidField('session_ids', 'a list of texts', ids);
  }
  const lists: string[] = [];
  for (let from = 0; from < ids.length; from += queryWidth) {
    const answers = await Promise.all(
      ids.slice(from, from + queryWidth).map((sessionId): Promise<ShardAnswer> => {
        const body = Buffer.from(JSON.stringify({ ...query, session_ids: [sessionId] }));
        return shards.askOf(sessionId, passedOn(request, body));
      }),
    );
    const refusal = firstRefusal(answers);
    if (refusal !== undefined) return relayAnswer(reply, refusal);
    for (const { body } of answers) lists.push(body.toString('utf8', 1, body.length - 1));
  }
  return `[${lists.filter((list) => list !== '').join(',')}]`;
}
