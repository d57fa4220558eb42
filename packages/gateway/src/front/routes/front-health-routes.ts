import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerPath } from '../../server/register-path.ts';
import type { FrontContext } from '../front-context.ts';
import { mergeWorkers, type WorkerRecord } from '../merge-workers.ts';
import { firstRefusal, passedOn, relayAnswer } from './relay-answer.ts';

/** `GET /health`, `/healthz`, `/health/workers` and `/health/processes`. */
export function registerFrontHealthRoutes(app: FastifyInstance, context: FrontContext): void {
  // One process that is being started again makes nobody else's sessions unwell.
  const isUp = (): boolean => context.shards.all.some(({ link }) => link !== undefined);
  const tell = (reply: FastifyReply, up: object, down: object): string => {
    if (isUp()) return JSON.stringify(up);
    reply.code(503);
    return JSON.stringify(down);
  };
  registerPath(app, '/health', {
    GET: (_request, reply) => tell(reply, { status: 'ok' }, { status: 'starting' }),
  });
  registerPath(app, '/healthz', { GET: (_request, reply) => tell(reply, { ok: true }, { ok: false }) });
  registerPath(app, '/health/workers', { GET: (request, reply) => workerHealth(context, request, reply) });
  registerPath(app, '/health/processes', { GET: () => processHealth(context) });
}

async function workerHealth(
  { shards }: FrontContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const answers = await shards.askAll(passedOn(request));
  const refusal = firstRefusal(answers);
  if (refusal !== undefined) return relayAnswer(reply, refusal);
  const lists = answers.map(
    ({ body }) => (JSON.parse(body.toString()) as { workers: WorkerRecord[] }).workers,
  );
  const workers = mergeWorkers(lists);
  const healthy = workers.filter((worker) => worker.healthy).length;
  return JSON.stringify({ workers, healthy, total: workers.length });
}

function processHealth({ shards }: FrontContext): string {
  const processes = shards.all.map(({ index, pid, link }) => ({
    shard: index,
    pid: pid ?? null,
    up: link !== undefined,
  }));
  return JSON.stringify({ processes });
}
