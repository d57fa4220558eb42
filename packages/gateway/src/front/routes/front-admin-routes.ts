import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerPath } from '../../server/register-path.ts';
import { requestObject } from '../../server/request-object.ts';
import type { FrontContext } from '../front-context.ts';
import { firstRefusal, passedOn, relayAnswer } from './relay-answer.ts';

/** `/admin/flush`, `/admin/reload` and `/admin/weight_version`. */
export function registerFrontAdminRoutes(app: FastifyInstance, context: FrontContext): void {
  // A barrier: also over a process that is being started again.
  registerPath(app, '/admin/flush', { POST: (request, reply) => askAll(context, request, reply) });
  registerPath(app, '/admin/reload', { POST: (request, reply) => askAll(context, request, reply) });
  registerPath(app, '/admin/weight_version', {
    GET: () => weightVersion(context),
    async POST(request, reply) {
      const { weight_version: version } = requestObject(request);
      if (await context.settings.setWeightVersion(context.shards, version)) return weightVersion(context);
      reply.code(400);
      return JSON.stringify({ error: 'weight_version must be an integer' });
    },
  });
}

async function askAll(
  { shards }: FrontContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const answers = await shards.askAll(passedOn(request));
  return relayAnswer(reply, firstRefusal(answers) ?? answers[0]!);
}

function weightVersion({ settings }: FrontContext): string {
  return JSON.stringify({ weight_version: settings.weightVersion ?? null });
}
