import type { FastifyInstance } from 'fastify';
import { registerPath } from '../register-path.ts';
import type { RouteContext } from '../route-context.ts';

/** `GET /metrics`: the Prometheus page. */
export function registerMetricsRoutes(app: FastifyInstance, { metrics }: RouteContext): void {
  registerPath(app, '/metrics', {
    async GET(_request, reply) {
      const { contentType, text } = await metrics.page();
      void reply.type(contentType).send(text);
      return undefined;
    },
  });
}
