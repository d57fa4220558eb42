import type { WorkerFlavours } from '../../routing/worker-flavours.ts';
import { type Worker, type WorkerOptions, resolveWorkerUrl } from '../../routing/worker.ts';
import { randomUUID } from 'node:crypto';
import { ArtError } from '@art/protocol';
import { resolveWorker } from '../../options/resolve-gateway-options.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerPath } from '../register-path.ts';
import { requestObject } from '../request-object.ts';
import type { RouteContext } from '../route-context.ts';

/** A worker as it goes over the wire. */
export function workerRecord(worker: Worker, flavours: WorkerFlavours): Record<string, unknown> {
  return {
    worker_id: worker.workerId,
    url: worker.url,
    api_path: worker.apiPath,
    model_name: worker.modelName ?? null,
    weight: worker.weight,
    healthy: worker.health.kind === 'healthy',
    active_requests: worker.activeCalls,
    flavour: flavours.knownOf(worker) ?? null,
  };
}

/** A worker that is to be added. */
interface WantedWorker {
  workerId: string;
  options: WorkerOptions;
}

/** Reads the body of `POST /admin/workers`; with `refusal`, what the caller is told with status 400. */
function readWorker(body: Record<string, unknown>): WantedWorker | { refusal: string } {
  if (body['url'] === undefined || body['url'] === null || body['url'] === '') {
    return { refusal: 'url is required' };
  }
  const id = body['worker_id'];
  const workerId = typeof id === 'string' && id !== '' ? id : randomUUID();
  try {
    return { workerId, options: resolveWorker(workerOptions(body), 'worker') };
  } catch (error) {
    if (!ArtError.isInstance(error) || error.code !== 'ART_INVALID_OPTION') throw error;
    return { refusal: error.message };
  }
}

/** What is answered for one that was added. */
function addedWorker({ workerId, options }: WantedWorker): string {
  const { url, apiPath } = resolveWorkerUrl(options.url, options.apiPath);
  return JSON.stringify({ worker_id: workerId, url, api_path: apiPath });
}

/** The members that are given, by their names in options. */
function workerOptions(body: Record<string, unknown>): object {
  const given = {
    url: body['url'],
    apiPath: body['api_path'],
    modelName: body['model_name'],
    weight: body['weight'],
    flavour: body['flavour'],
  };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
  );
}

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
