import { randomUUID } from 'node:crypto';
import { ArtError } from '@art/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { resolveWorker } from '../../options/resolve-gateway-options.ts';
import type { WorkerOptions } from '../../routing/worker.ts';
import { resolveWorkerUrl } from '../../routing/worker-url.ts';
import { registerPath } from '../register-path.ts';
import { requestObject } from '../request-object.ts';
import type { RouteContext } from '../route-context.ts';
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
  const body = requestObject(request);
  if (body['url'] === undefined || body['url'] === null || body['url'] === '') {
    reply.code(400);
    return JSON.stringify({ error: 'url is required' });
  }
  const workerId = body['worker_id'];
  const id = typeof workerId === 'string' && workerId !== '' ? workerId : randomUUID();
  try {
    const options = resolveWorker(workerOptions(body), 'worker');
    context.pool.add(id, options);
    const { url, apiPath } = resolveWorkerUrl(options.url, options.apiPath);
    return JSON.stringify({ worker_id: id, url, api_path: apiPath });
  } catch (error) {
    if (!ArtError.isInstance(error) || error.code !== 'ART_INVALID_OPTION') throw error;
    reply.code(400);
    return JSON.stringify({ error: error.message });
  }
}

function workerOptions(body: Record<string, unknown>): WorkerOptions {
  const given = {
    url: body['url'],
    apiPath: body['api_path'],
    modelName: body['model_name'],
    weight: body['weight'],
    flavour: body['flavour'],
  };
  const present = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(present) as unknown as WorkerOptions;
}
