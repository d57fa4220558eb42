import type { FastifyInstance } from 'fastify';
import { registerPath } from '../register-path.ts';
import type { RouteContext } from '../route-context.ts';
import { workerRecord } from '../worker-record.ts';

/** `GET /health`, `/healthz` and `/health/workers`. */
export function registerHealthRoutes(app: FastifyInstance, context: RouteContext): void {
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
