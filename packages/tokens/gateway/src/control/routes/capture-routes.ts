import type { CaptureRange } from '../../store/capture-store.ts';
import { aNumber, oneOf, optional, type OptionRule, type ReadOptions } from '@art/ground';
import { readFields, requestObject, textList } from '../request-fields.ts';
import { toCompactCaptures, toCaptureRecord, type Capture } from '@art/trajectories';
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

/** Which captures of a session are asked for. */
export const captureRules = { ...rangeRules, choices: optional(oneOf('all', 'first')) };

/** `compact` sends each capture as what it adds to an earlier one. */
export const captureFormat = optional(oneOf('full', 'compact'), 'full');

/** The part of a list that is asked for. */
export function rangeOf({ since, limit }: ReadOptions<typeof rangeRules>): CaptureRange {
  return { sinceMs: since === undefined ? undefined : since * 1_000, limit };
}

/** Captures as JSON text. */
export function captureList(captures: readonly Capture[], format: ReturnType<typeof captureFormat>): string {
  return format === 'compact' ? toCompactCaptures(captures) : `[${captures.map(toCaptureRecord).join(',')}]`;
}

/**
 * A session's captures, oldest first, as a reader asks for them. With `first` a call that asked for several choices has one capture,
 * that of its first choice; `limit` counts what is left then.
 */
export async function readCaptures(
  { store, options }: Pick<GatewayServices, 'store' | 'options'>,
  sessionId: string,
  query: ReadOptions<typeof captureRules>,
): Promise<Capture[]> {
  const range = rangeOf(query);
  if ((query.choices ?? options.captureChoices) === 'all') return await store.capturesOf(sessionId, range);
  const captures = await store.capturesOf(sessionId, { sinceMs: range.sinceMs });
  return captures.filter(({ choiceIndex }) => choiceIndex === 0).slice(0, query.limit);
}

/** `GET /traces/{id}` and `POST /traces/query`. */
export function registerCaptureRoutes(app: FastifyInstance, services: GatewayServices): void {
  registerPath(app, '/traces/query', { POST: (request) => queryCaptures(services, request) });
  registerPath(app, '/traces/:captureId', { GET: (request, reply) => getCapture(services, request, reply) });
}

async function getCapture(
  services: GatewayServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { captureId } = request.params as { captureId: string };
  const capture = await services.store.capture(captureId);
  if (capture !== undefined) return toCaptureRecord(capture);
  reply.code(404);
  return JSON.stringify({ error: `Trace ${captureId} not found` });
}

const manyRules = { ...captureRules, sessionIds: optional(textList, []) };

async function queryCaptures(services: GatewayServices, request: FastifyRequest): Promise<string> {
  const { sessionIds, ...query } = readFields(requestObject(request), manyRules);
  const found = await Promise.all(sessionIds.map((id) => readCaptures(services, id, query)));
  return captureList(found.flat(), 'full');
}
