import type { FastifyInstance } from 'fastify';
import { registerPath } from '../register-path.ts';
import type { RouteContext } from '../route-context.ts';

/** `GET /metrics`: the Prometheus page; `Accept: application/json` gets its values, for those who add several up. */
export function registerMetricsRoutes(app: FastifyInstance, { metrics }: RouteContext): void {
  registerPath(app, '/metrics', {
    async GET(request, reply) {
      if (request.headers.accept === 'application/json') return JSON.stringify(await metrics.values());
      const { contentType, text } = await metrics.page();
      void reply.type(contentType).send(text);
      return undefined;
    },
  });
}
