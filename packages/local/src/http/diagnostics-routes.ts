import type { FastifyInstance } from 'fastify';
import { sendServiceFault } from './aws-error-reply.ts';
import { faultOfError } from './fault-of-error.ts';
import { refuseWebPages } from './refuse-web-pages.ts';
import type { LocalMetrics } from '../service/metrics.ts';
import type { LocalSessionInfo } from '../session/session-info.ts';

export interface Diagnostics {
  metrics(): LocalMetrics;
  sessions(): readonly LocalSessionInfo[];
}

/** What only a local runtime can show, under `/_art/`: no bucket may begin with an underscore, so S3 is not disturbed. */
export async function registerDiagnostics(fastify: FastifyInstance, diagnostics: Diagnostics): Promise<void> {
  fastify.addHook('onRequest', async (request) => refuseWebPages(request.headers));
  fastify.setErrorHandler(async (error, _request, reply) => sendServiceFault(reply, faultOfError(error, 0)));
  fastify.get('/_art/metrics', async () => diagnostics.metrics());
  fastify.get('/_art/sessions', async () => ({ sessions: diagnostics.sessions() }));
}
