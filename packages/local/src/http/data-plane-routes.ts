import { ConnectionFault } from '@art/local-s3';
import { maxPayloadBytes, runtimeHeaders } from '@art/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { agentCardRoute } from './agent-card-route.ts';
import { sendServiceFault } from './aws-error-reply.ts';
import { commandRoute } from './command-route.ts';
import type { DataPlaneContext } from './data-plane-context.ts';
import type { DataPlaneRequest } from './data-plane-request.ts';
import { faultOfError } from './fault-of-error.ts';
import { invokeRoute } from './invoke-route.ts';
import { refuseEncodedBody } from './refuse-encoded-body.ts';
import { refuseWebPages } from './refuse-web-pages.ts';
import { stopRoute } from './stop-route.ts';

type Route = (
  context: DataPlaneContext,
  request: DataPlaneRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** What a stop or a command may send: a command of 64 KiB, each of its bytes escaped, fits. */
const maxControlBodyBytes = 1_048_576;

/** AgentCore Runtime's data plane, all under `/runtimes/`. Credentials and signatures are accepted unread. */
export async function registerDataPlane(fastify: FastifyInstance, context: DataPlaneContext): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxPayloadBytes },
    (_request, body, done) => done(null, body),
  );
  fastify.addHook('onRequest', async (request, reply) => {
    // The service passes any content type on, also one that is none; Fastify would answer 415. See `callerRequest`.
    delete request.raw.headers['content-type'];
    void reply.header(runtimeHeaders.requestId, request.id);
    refuseWebPages(request.headers);
    refuseEncodedBody(request.headers);
  });
  fastify.setErrorHandler(async (error, _request, reply) => {
    // Nobody is there to be answered, and what became of the request is no fault of the service.
    if (reply.raw.destroyed) return reply.hijack();
    if (error instanceof ConnectionFault) {
      if (error.kind === 'reset') reply.raw.socket?.resetAndDestroy();
      return reply.hijack();
    }
    const fault = faultOfError(error, context.initTimeoutMs);
    context.metrics.faulted(fault.type);
    return sendServiceFault(reply, fault);
  });
  const handle =
    (route: Route) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      route(context, callerRequest(request), reply);
  const options = { bodyLimit: maxPayloadBytes };
  const smallBody = { bodyLimit: maxControlBodyBytes };
  fastify.post('/runtimes/:agent/invocations', options, handle(invokeRoute));
  fastify.post('/runtimes/:agent/stopruntimesession', smallBody, handle(stopRoute));
  fastify.post('/runtimes/:agent/commands', smallBody, handle(commandRoute));
  fastify.get('/runtimes/:agent/invocations/.well-known/agent-card.json', handle(agentCardRoute));
}

function callerRequest(request: FastifyRequest): DataPlaneRequest {
  const { rawHeaders } = request.raw;
  const index = rawHeaders.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type');
  return {
    id: request.id,
    params: request.params as DataPlaneRequest['params'],
    query: request.query as DataPlaneRequest['query'],
    headers: index < 0 ? request.headers : { ...request.headers, 'content-type': rawHeaders[index + 1] },
    body: request.body as Buffer | undefined,
  };
}
