import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerPath } from '../register-path.ts';
import { requestObject } from '../request-object.ts';
import type { RouteContext } from '../route-context.ts';
import { addedWorker, readWorker } from '../worker-body.ts';
import { workerRecord } from '../worker-record.ts';

/** `/admin/workers`: which inference servers there are. */
export function registerWorkerRoutes(app: FastifyInstance, context: RouteContext): void {
  registerPath(app, '/admin/workers', {
    GET: () => JSON.stringify(context.pool.list().map((worker) => workerRecord(worker, context.flavours))),
    POST: (request, reply) => addWorker(context, request, reply),
  });
  registerPath(app, '/admin/workers/*', {
    DELETE(request, reply) {
      const workerId = (request.params as { '*': string })['*'];
      if (context.pool.remove(workerId)) return JSON.stringify({ removed: workerId });
      reply.code(404);
      return JSON.stringify({ error: `Worker ${workerId} not found` });
    },
  });
}

function addWorker(context: RouteContext, request: FastifyRequest, reply: FastifyReply): string {
  const wanted = readWorker(requestObject(request));
  if ('refusal' in wanted) {
    reply.code(400);
    return JSON.stringify({ error: wanted.refusal });
  }
  context.pool.add(wanted.workerId, wanted.options);
  return addedWorker(wanted);
}
