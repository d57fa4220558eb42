import type { TraceRange } from '../../store/trace-store.ts';
import { aNumber, oneOf, optional, type OptionRule, type ReadOptions } from '@art/ground';
import { readFields, requestObject, textList } from '../request-fields.ts';
import { toCompactTraces, toTraceRecord, type Trace } from '@art/trajectories';
import type { GatewayServices } from '../../calls/call/gateway-services.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerPath } from '../register-path.ts';

/** A number that may be written as text, as in a query. */
function numeric(rule: OptionRule<number>): OptionRule<number | undefined> {
  return optional((given, field) =>
    rule(typeof given === 'string' && given.trim() !== '' ? Number(given) : given, field),
  );
}

/** Which part of a list is asked for. */
export const rangeRules = {
  /** Seconds since the Unix epoch. */
  since: numeric(aNumber()),
  limit: numeric(aNumber({ min: 0, integer: true })),
};

/** Which traces of a session are asked for. */
export const traceRules = { ...rangeRules, choices: optional(oneOf('all', 'first')) };

/** `compact` sends each trace as what it adds to an earlier one. */
export const traceFormat = optional(oneOf('full', 'compact'), 'full');

/** The part of a list that is asked for. */
export function rangeOf({ since, limit }: ReadOptions<typeof rangeRules>): TraceRange {
  return { sinceMs: since === undefined ? undefined : since * 1_000, limit };
}

/** Traces as JSON text. */
export function traceList(traces: readonly Trace[], format: ReturnType<typeof traceFormat>): string {
  return format === 'compact' ? toCompactTraces(traces) : `[${traces.map(toTraceRecord).join(',')}]`;
}

/**
 * A session's traces, oldest first, as a reader asks for them. With `first` a call that asked for several choices has one trace,
 * that of its first choice; `limit` counts what is left then.
 */
export async function readTraces(
  { store, options }: Pick<GatewayServices, 'store' | 'options'>,
  sessionId: string,
  query: ReadOptions<typeof traceRules>,
): Promise<Trace[]> {
  const range = rangeOf(query);
  if ((query.choices ?? options.traceChoices) === 'all') return await store.tracesOf(sessionId, range);
  const traces = await store.tracesOf(sessionId, { sinceMs: range.sinceMs });
  return traces.filter(({ choiceIndex }) => choiceIndex === 0).slice(0, query.limit);
}

/** `GET /traces/{id}` and `POST /traces/query`. */
export function registerTraceRoutes(app: FastifyInstance, services: GatewayServices): void {
  registerPath(app, '/traces/query', { POST: (request) => queryTraces(services, request) });
  registerPath(app, '/traces/:traceId', { GET: (request, reply) => getTrace(services, request, reply) });
}

async function getTrace(
  services: GatewayServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { traceId } = request.params as { traceId: string };
  const trace = await services.store.trace(traceId);
  if (trace !== undefined) return toTraceRecord(trace);
  reply.code(404);
  return JSON.stringify({ error: `Trace ${traceId} not found` });
}

const manyRules = { ...traceRules, sessionIds: optional(textList, []) };

async function queryTraces(services: GatewayServices, request: FastifyRequest): Promise<string> {
  const { sessionIds, ...query } = readFields(requestObject(request), manyRules);
  const found = await Promise.all(sessionIds.map((id) => readTraces(services, id, query)));
  return traceList(found.flat(), 'full');
}
