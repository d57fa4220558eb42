import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerPath } from '../register-path.ts';
import type { GatewayServices } from '../../calls/call/gateway-services.ts';
import { workerRecord } from './worker-routes.ts';
import { requestObject } from '../request-fields.ts';

/** `GET /health`, `/healthz` and `/health/workers`. */
export function registerHealthRoutes(app: FastifyInstance, services: GatewayServices): void {
  registerPath(app, '/health', { GET: () => JSON.stringify({ status: 'ok' }) });
  registerPath(app, '/healthz', { GET: () => JSON.stringify({ ok: true }) });
  registerPath(app, '/health/workers', {
    GET() {
      const workers = services.pool.list();
      return JSON.stringify({
        workers: workers.map((worker) => workerRecord(worker, services.flavours)),
        healthy: workers.filter((worker) => worker.health.kind === 'healthy').length,
        total: workers.length,
      });
    },
  });
}

/** `GET /metrics`: the Prometheus page. */
export function registerMetricsRoutes(app: FastifyInstance, { metrics }: GatewayServices): void {
  registerPath(app, '/metrics', {
    async GET(_request, reply) {
      const { contentType, text } = await metrics.page();
      void reply.type(contentType).send(text);
      return undefined;
    },
  });
}

/** `/admin/flush`, `/admin/reload` and `/admin/weight_version`. */
export function registerAdminRoutes(app: FastifyInstance, services: GatewayServices): void {
  registerPath(app, '/admin/flush', {
    // A reply is sent after its capture was stored, so what an agent has seen is in the store when this is asked.
    async POST() {
      await services.store.flush();
      return JSON.stringify({ status: 'flushed' });
    },
  });
  registerPath(app, '/admin/reload', { POST: () => JSON.stringify({ status: 'ok' }) });
  registerPath(app, '/admin/weight_version', {
    GET: () => weightVersion(services),
    POST: (request, reply) => setWeightVersion(services, request, reply),
  });
}

function weightVersion({ weights }: GatewayServices): string {
  return JSON.stringify({ weight_version: weights.current ?? null });
}

function setWeightVersion(services: GatewayServices, request: FastifyRequest, reply: FastifyReply): string {
  if (services.weights.set(requestObject(request)['weight_version'])) return weightVersion(services);
  reply.code(400);
  return JSON.stringify({ error: 'weight_version must be an integer' });
}
