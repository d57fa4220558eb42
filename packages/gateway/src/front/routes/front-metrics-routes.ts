import type { FastifyInstance } from 'fastify';
import { registerPath } from '../../server/register-path.ts';
import type { FrontContext } from '../front-context.ts';
import type { MetricValues } from '../front-metrics.ts';

/** `GET /metrics`: the Prometheus page of all processes that are up. */
export function registerFrontMetricsRoutes(app: FastifyInstance, context: FrontContext): void {
  const { shards, headers, metrics } = context;
  const ask = { method: 'GET', path: '/metrics', headers: [...headers, 'accept', 'application/json'] };
  registerPath(app, '/metrics', {
    async GET(_request, reply) {
      const links = shards.all.flatMap(({ link }) => (link === undefined ? [] : [link]));
      const answers = await Promise.allSettled(links.map((link) => link.ask(ask)));
      const values = answers.flatMap((answer) =>
        answer.status === 'fulfilled' ? [JSON.parse(answer.value.body.toString()) as MetricValues] : [],
      );
      const { contentType, text } = await metrics.page(values);
      void reply.type(contentType).send(text);
      return undefined;
    },
  });
}
