import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { InvalidField } from '../invalid-field.ts';
import { readTraces } from '../read-traces.ts';
import { registerPath } from '../register-path.ts';
import { requestObject } from '../request-object.ts';
import type { RouteContext } from '../route-context.ts';
import { toTraceRecord } from '@art/trajectories';
import { traceList } from '../trace-list.ts';

/** `GET /traces/{id}` and `POST /traces/query`. */
export function registerTraceRoutes(app: FastifyInstance, context: RouteContext): void {
  registerPath(app, '/traces/query', { POST: (request) => queryTraces(context, request) });
  registerPath(app, '/traces/:traceId', { GET: (request, reply) => getTrace(context, request, reply) });
}

async function getTrace(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { traceId } = request.params as { traceId: string };
  const trace = await context.store.trace(traceId);
  if (trace !== undefined) return toTraceRecord(trace);
  reply.code(404);
  return JSON.stringify({ error: `Trace ${traceId} not found` });
}

async function queryTraces(context: RouteContext, request: FastifyRequest): Promise<string> {
  const { session_ids: ids = [], ...query } = requestObject(request);
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) {
    throw new InvalidField('session_ids', 'a list of texts', ids);
  }
  const found = await Promise.all(ids.map((id) => readTraces(context, id, query)));
  return traceList(found.flat(), undefined);
}
