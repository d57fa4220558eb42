import type { WorkerFlavours } from '../../routing/worker-flavours.ts';
import type { Worker, WorkerOptions } from '../../routing/worker.ts';
import { randomUUID } from 'node:crypto';
import { ArtError } from '@art/protocol';
import { resolveWorker } from '../../options/resolve-gateway-options.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerPath, wildcard } from '../register-path.ts';
import { requestObject } from '../request-object.ts';
import type { GatewayServices } from '../../calls/call/gateway-services.ts';

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
    ...(Object.keys(worker.modelSampling ?? {}).length > 0 && { model_sampling: worker.modelSampling }),
  };
}

/** The fields that are given, by their names in options. */
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
export function registerWorkerRoutes(app: FastifyInstance, services: GatewayServices): void {
  registerPath(app, '/admin/workers', {
    GET: () => JSON.stringify(services.pool.list().map((worker) => workerRecord(worker, services.flavours))),
    POST: (request, reply) => addWorker(services, request, reply),
  });
  registerPath(app, '/admin/workers/*', {
    DELETE(request, reply) {
      const workerId = wildcard(request);
      if (services.pool.remove(workerId)) return JSON.stringify({ removed: workerId });
      reply.code(404);
      return JSON.stringify({ error: `Worker ${workerId} not found` });
    },
  });
}

function addWorker(services: GatewayServices, request: FastifyRequest, reply: FastifyReply): string {
  const body = requestObject(request);
  const { url: given, worker_id: id } = body;
  if (given === undefined || given === null || given === '') return refuse(reply, 'url is required');
  let options: WorkerOptions;
  try {
    options = resolveWorker(workerOptions(body), 'worker');
  } catch (error) {
    if (!ArtError.isInstance(error) || error.code !== 'ART_INVALID_OPTION') throw error;
    return refuse(reply, error.message);
  }
  const workerId = typeof id === 'string' && id !== '' ? id : randomUUID();
  services.pool.add(workerId, options);
  return JSON.stringify({ worker_id: workerId, url: options.url, api_path: options.apiPath });
}

function refuse(reply: FastifyReply, why: string): string {
  reply.code(400);
  return JSON.stringify({ error: why });
}
