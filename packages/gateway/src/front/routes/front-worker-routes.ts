import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerPath } from '../../server/register-path.ts';
import { requestObject } from '../../server/request-object.ts';
import { addedWorker, readWorker } from '../../server/worker-body.ts';
import type { FrontContext } from '../front-context.ts';
import { mergeWorkers, type WorkerRecord } from '../merge-workers.ts';
import { firstRefusal, passedOn, relayAnswer } from './relay-answer.ts';

/** `/admin/workers`: every process asks all of them. */
export function registerFrontWorkerRoutes(app: FastifyInstance, context: FrontContext): void {
  registerPath(app, '/admin/workers', {
    GET: (request, reply) => listWorkers(context, request, reply),
    POST: (request, reply) => addWorker(context, request, reply),
  });
  registerPath(app, '/admin/workers/*', {
    async DELETE(request, reply) {
      const workerId = (request.params as { '*': string })['*'];
      if (await context.settings.removeWorker(context.shards, workerId)) {
        return JSON.stringify({ removed: workerId });
      }
      reply.code(404);
      return JSON.stringify({ error: `Worker ${workerId} not found` });
    },
  });
}

async function listWorkers(
  { shards }: FrontContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const answers = await shards.askAll(passedOn(request));
  const refusal = firstRefusal(answers);
  if (refusal !== undefined) return relayAnswer(reply, refusal);
  return JSON.stringify(
    mergeWorkers(answers.map(({ body }) => JSON.parse(body.toString()) as WorkerRecord[])),
  );
}

async function addWorker(
  { shards, settings }: FrontContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const wanted = readWorker(requestObject(request));
  if ('refusal' in wanted) {
    reply.code(400);
    return JSON.stringify({ error: wanted.refusal });
  }
  await settings.addWorker(shards, wanted.workerId, wanted.options);
  return addedWorker(wanted);
}
