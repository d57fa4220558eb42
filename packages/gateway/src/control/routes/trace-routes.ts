import type { TraceRange } from '../../store/trace-store.ts';
import { InvalidField, requestObject } from '../request-object.ts';
import { toCompactTraces, toTraceRecord, type Trace } from '@art/trajectories';
import type { GatewayServices } from '../../calls/call/gateway-services.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerPath } from '../register-path.ts';

/** Reads `since` (seconds since the Unix epoch) and `limit`. @throws InvalidField */
export function traceRange(since: unknown, limit: unknown): TraceRange {
  const range: TraceRange = {};
  if (since !== undefined && since !== null) {
    const seconds = toNumber(since);
    if (seconds === undefined) throw new InvalidField('since', 'a number of seconds', since);
    range.sinceMs = seconds * 1_000;
  }
  if (limit !== undefined && limit !== null) {
    const count = toNumber(limit);
    if (count === undefined || !Number.isInteger(count) || count < 0) {
      throw new InvalidField('limit', 'a whole number from 0', limit);
    }
    range.limit = count;
  }
  return range;
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * Traces as JSON text.
 * @param format `compact` sends each trace as what it adds to an earlier one; nothing sends them whole
 * @throws InvalidField
 */
export function traceList(traces: readonly Trace[], format: unknown): string {
  if (format === 'compact') return toCompactTraces(traces);
  if (format === undefined || format === 'full') return `[${traces.map(toTraceRecord).join(',')}]`;
  throw new InvalidField('format', 'full or compact', format);
}

/**
 * A session's traces, oldest first, as a reader asks for them: `since`, `limit` and `choices`. With `first` a call that asked
 * for several choices has one trace, that of its first choice; `limit` counts what is left then.
 * @throws InvalidField
 */
export async function readTraces(
  { store, options }: Pick<GatewayServices, 'store' | 'options'>,
  sessionId: string,
  query: Readonly<Record<string, unknown>>,
): Promise<Trace[]> {
  const { sinceMs, limit } = traceRange(query['since'], query['limit']);
  const choices = query['choices'] ?? options.traceChoices;
  if (choices === 'all') return await store.tracesOf(sessionId, { sinceMs, limit });
  if (choices !== 'first') throw new InvalidField('choices', 'all or first', choices);
  const traces = await store.tracesOf(sessionId, { sinceMs });
  return traces.filter(({ choiceIndex }) => choiceIndex === 0).slice(0, limit);
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

async function queryTraces(services: GatewayServices, request: FastifyRequest): Promise<string> {
  const { session_ids: ids = [], ...query } = requestObject(request);
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) {
    throw new InvalidField('session_ids', 'a list of texts', ids);
  }
  const found = await Promise.all(ids.map((id) => readTraces(services, id, query)));
  return traceList(found.flat(), undefined);
}
