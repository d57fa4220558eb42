import type { FastifyInstance } from 'fastify';
import { invalidField } from '../service/service-fault.ts';
import type { DataPlaneContext } from './data-plane.ts';
import { faultOfError, sendServiceFault } from './error-reply.ts';
import { refuseWebPages } from './refuse-requests.ts';

/** Registers what only a local runtime can show, under `/_art/`: no bucket may begin with an underscore, so S3 is not disturbed. */
export async function registerDiagnostics(
  fastify: FastifyInstance,
  { metrics, table, faults, log }: Pick<DataPlaneContext, 'metrics' | 'table' | 'faults' | 'log'>,
): Promise<void> {
  fastify.addHook('onRequest', async (request) => refuseWebPages(request.raw));
  fastify.setErrorHandler(async (error, _request, reply) => sendServiceFault(reply, faultOfError(error, 0)));
  fastify.get('/_art/metrics', async () => metrics.snapshot());
  fastify.get('/_art/sessions', async () => ({ sessions: table.list() }));
  fastify.get('/_art/faults', (request) => ({ faults: faults?.injected(afterOf(request.query)) ?? [] }));
  fastify.get('/_art/log', (request) => ({
    lastSeq: log.lastSeq,
    entries: log.after(afterOf(request.query)),
  }));
}

/** `?after=17`: only what has a higher number. */
function afterOf(query: unknown): number | undefined {
  const { after } = query as { after?: unknown };
  if (after === undefined) return undefined;
  if (typeof after === 'string' && /^\d{1,15}$/.test(after)) return Number(after);
  throw invalidField(`Expected ?after= to be the number of an entry, got ${JSON.stringify(after)}`);
}
