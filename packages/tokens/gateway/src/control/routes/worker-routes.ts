import type { WorkerFlavours } from '../../routing/worker-flavours.ts';
import type { Worker } from '../../routing/worker.ts';
import { randomUUID } from 'node:crypto';
import { ArtError } from '@art/ground';
import { workerRules } from '../../options/resolve-gateway-options.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerPath, wildcard } from '../register-path.ts';
import { InvalidField, readFields, requestObject } from '../request-fields.ts';
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

const addedWorkerRules = {
  ...workerRules,
  // Python's clients send an empty text for "choose one".
  workerId: (given: unknown) => (typeof given === 'string' && given !== '' ? given : randomUUID()),
};

function addWorker(services: GatewayServices, request: FastifyRequest, reply: FastifyReply): string {
  const body = requestObject(request);
  if ((body['url'] ?? '') === '') return refuse(reply, 'url is required');
  try {
    const { workerId, ...options } = readFields(body, addedWorkerRules);
    const { url, apiPath } = services.pool.add(workerId, options);
    return JSON.stringify({ worker_id: workerId, url, api_path: apiPath });
  } catch (error) {
    const isWrong =
      error instanceof InvalidField || (ArtError.isInstance(error) && error.code === 'ART_INVALID_OPTION');
    if (!isWrong) throw error;
    return refuse(reply, error.message);
  }
}

function refuse(reply: FastifyReply, why: string): string {
  reply.code(400);
  return JSON.stringify({ error: why });
}
