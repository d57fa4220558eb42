import type { FastifyInstance } from 'fastify';
import { faultOfError, sendServiceFault } from './error-reply.ts';
import { refuseWebPages } from './refuse-requests.ts';
import type { EndpointLog } from '../service/endpoint-log.ts';
import { invalidField } from '../service/service-fault.ts';
import type { LocalMetrics } from '../service/metrics.ts';
import type { LocalSessionInfo } from '../session/session-info.ts';

export interface Diagnostics {
  metrics(): LocalMetrics;
  sessions(): readonly LocalSessionInfo[];
  injectedFaults(afterSeq?: number): readonly object[];
  log: EndpointLog;
}

/** What only a local runtime can show, under `/_art/`: no bucket may begin with an underscore, so S3 is not disturbed. */
export async function registerDiagnostics(fastify: FastifyInstance, diagnostics: Diagnostics): Promise<void> {
  fastify.addHook('onRequest', async (request) => refuseWebPages(request.headers));
  fastify.setErrorHandler(async (error, _request, reply) => sendServiceFault(reply, faultOfError(error, 0)));
  fastify.get('/_art/metrics', async () => diagnostics.metrics());
  fastify.get('/_art/sessions', async () => ({ sessions: diagnostics.sessions() }));
  fastify.get('/_art/faults', (request) => ({
    faults: diagnostics.injectedFaults(afterOf(request.query)),
  }));
  fastify.get('/_art/log', (request) => ({
    lastSeq: diagnostics.log.lastSeq,
    entries: diagnostics.log.after(afterOf(request.query)),
  }));
}

/** `?after=17`: only what has a higher number. */
function afterOf(query: unknown): number | undefined {
  const { after } = query as { after?: unknown };
  if (after === undefined) return undefined;
  if (typeof after === 'string' && /^\d{1,15}$/.test(after)) return Number(after);
  throw invalidField(`Expected ?after= to be the number of an entry, got ${JSON.stringify(after)}`);
}
