import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerPath } from '../register-path.ts';
import type { CallContext } from '../../calls/call/call-context.ts';
import { workerRecord } from './worker-routes.ts';
import { requestObject } from '../request-object.ts';

/** `GET /health`, `/healthz` and `/health/workers`. */
export function registerHealthRoutes(app: FastifyInstance, context: CallContext): void {
  registerPath(app, '/health', { GET: () => JSON.stringify({ status: 'ok' }) });
  registerPath(app, '/healthz', { GET: () => JSON.stringify({ ok: true }) });
  registerPath(app, '/health/workers', {
    GET() {
      const workers = context.pool.list();
      return JSON.stringify({
        workers: workers.map((worker) => workerRecord(worker, context.flavours)),
        healthy: workers.filter((worker) => worker.health.kind === 'healthy').length,
        total: workers.length,
      });
    },
  });
}

/** `GET /metrics`: the Prometheus page. */
export function registerMetricsRoutes(app: FastifyInstance, { metrics }: CallContext): void {
  registerPath(app, '/metrics', {
    async GET(_request, reply) {
      const { contentType, text } = await metrics.page();
      void reply.type(contentType).send(text);
      return undefined;
    },
  });
}

/** `/admin/flush`, `/admin/reload` and `/admin/weight_version`. */
export function registerAdminRoutes(app: FastifyInstance, context: CallContext): void {
  registerPath(app, '/admin/flush', {
    // A reply is sent after its trace was stored, so what an agent has seen is in the store when this is asked.
    async POST() {
      await context.store.flush();
      return JSON.stringify({ status: 'flushed' });
    },
  });
  registerPath(app, '/admin/reload', { POST: () => JSON.stringify({ status: 'ok' }) });
  registerPath(app, '/admin/weight_version', {
    GET: () => weightVersion(context),
    POST: (request, reply) => setWeightVersion(context, request, reply),
  });
}

function weightVersion({ weights }: CallContext): string {
  return JSON.stringify({ weight_version: weights.current ?? null });
}

function setWeightVersion(context: CallContext, request: FastifyRequest, reply: FastifyReply): string {
  if (context.weights.set(requestObject(request)['weight_version'])) return weightVersion(context);
  reply.code(400);
  return JSON.stringify({ error: 'weight_version must be an integer' });
}
