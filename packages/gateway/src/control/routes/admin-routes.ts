import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerPath } from '../register-path.ts';
import { requestObject } from '../request-object.ts';
import type { RouteContext } from '../route-context.ts';

/** `/admin/flush`, `/admin/reload` and `/admin/weight_version`. */
export function registerAdminRoutes(app: FastifyInstance, context: RouteContext): void {
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

function weightVersion({ weights }: RouteContext): string {
  return JSON.stringify({ weight_version: weights.current ?? null });
}

function setWeightVersion(context: RouteContext, request: FastifyRequest, reply: FastifyReply): string {
  if (context.weights.set(requestObject(request)['weight_version'])) return weightVersion(context);
  reply.code(400);
  return JSON.stringify({ error: 'weight_version must be an integer' });
}
