import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ConnectionFault } from '../s3/endpoint/register-s3-endpoint.ts';
import { isSessionId, maxPayloadBytes, runtimeHeaders } from '@art/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionAgent } from '../process/local-agent.ts';
import type { ProcessGuard } from '../process/process-guard.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { EndpointLog } from '../service/endpoint-log.ts';
import type { MetricsRecorder } from '../service/metrics.ts';
import { invalidField, ServiceFault } from '../service/service-fault.ts';
import type { ServiceLimits } from '../service/service-limits.ts';
import type { RuntimeFaultHooks } from '../session/runtime-faults.ts';
import type { SessionTable } from '../session/session-table.ts';
import { faultOfError, sendServiceFault } from './error-reply.ts';
import { refuseEncodedBody, refuseWebPages } from './refuse-requests.ts';

/** Parts that the routes of the local server work with. */
export interface DataPlaneContext {
  settings: ResolvedOptions;
  agents: readonly SessionAgent[];
  table: SessionTable;
  limits: ServiceLimits;
  metrics: MetricsRecorder;
  log: EndpointLog;
  faults: RuntimeFaultHooks | undefined;
  guard: ProcessGuard;
  /** Where the service is reached, for the URL in an agent card. */
  endpoint(): string;
}

/** One call of the data plane: whom it is for, and what came with it. */
export interface DataPlaneCall {
  agent: SessionAgent;
  sessionId: string;
  requestId: string;
  /** As they were sent, `content-type` included. */
  headers: IncomingHttpHeaders;
  body: Buffer | undefined;
  reply: FastifyReply;
  /** Aborts when the caller closes the connection before its answer is complete. */
  hangUp: AbortSignal;
}

/** Answers one operation. */
export interface DataPlaneRoute {
  method: 'GET' | 'POST';
  /** Below `/runtimes/{arn}`. */
  path: string;
  /** Largest body that it takes. */
  maxBodyBytes: number;
  /** True if the caller has to name a session; otherwise it gets a new one. */
  needsSession?: boolean;
  answer: (call: DataPlaneCall, context: DataPlaneContext) => Promise<FastifyReply>;
}

/** Most bytes of a stop or a command: a command of 64 KiB, each of its bytes escaped, fits. */
export const maxControlBodyBytes = 1_048_576;

/** AgentCore Runtime's data plane, all under `/runtimes/`. Credentials and signatures are accepted unread. */
export async function registerDataPlane(
  fastify: FastifyInstance,
  context: DataPlaneContext,
  routes: readonly DataPlaneRoute[],
): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxPayloadBytes },
    (_request, body, done) => done(null, body),
  );
  fastify.addHook('onRequest', async (request, reply) => {
    // The service passes any content type on, also one that is none; Fastify would answer 415. See `callerHeaders`.
    delete request.raw.headers['content-type'];
    void reply.header(runtimeHeaders.requestId, request.id);
    refuseWebPages(request.raw);
    refuseEncodedBody(request.headers);
  });
  fastify.setErrorHandler(async (error, _request, reply) => {
    // Nobody is there to be answered, and what became of the request is no fault of the service.
    if (reply.raw.destroyed) return reply.hijack();
    if (error instanceof ConnectionFault) {
      if (error.kind === 'reset') reply.raw.socket?.resetAndDestroy();
      return reply.hijack();
    }
    const fault = faultOfError(error, context.settings.initTimeoutMs);
    context.metrics.faulted(fault.type);
    return sendServiceFault(reply, fault);
  });
  for (const { method, path, maxBodyBytes, needsSession = false, answer } of routes) {
    fastify.route({
      method,
      url: `/runtimes/:agent${path}`,
      bodyLimit: maxBodyBytes,
      handler: async (request, reply) => answer(callOf(request, reply, context, needsSession), context),
    });
  }
}

/** @throws ServiceFault 404 for an agent that is not here, 400 for an id that the service would refuse */
function callOf(
  request: FastifyRequest,
  reply: FastifyReply,
  context: DataPlaneContext,
  needsSession: boolean,
): DataPlaneCall {
  const { agent } = request.params as { agent: string };
  const { accountId } = request.query as { accountId?: string };
  const headers = callerHeaders(request);
  return {
    agent: findAgent(context, agent, accountId),
    sessionId: calledSessionId(headers[runtimeHeaders.sessionId], needsSession),
    requestId: request.id,
    headers,
    body: request.body as Buffer | undefined,
    reply,
    hangUp: hangUpOf(reply),
  };
}

/** The agent that a path names: by ARN, or by id together with `?accountId=`. */
export function findAgent(
  { agents, settings }: DataPlaneContext,
  arnOrId: string,
  accountId: string | undefined,
): SessionAgent {
  const isArn = arnOrId.startsWith('arn:');
  if (!isArn && accountId === undefined) {
    throw invalidField(
      `accountId is required when the agent is named by its id (${arnOrId}) instead of its ARN`,
    );
  }
  const agent = agents.find(({ arn, runtimeId }) => arnOrId === (isArn ? arn : runtimeId));
  if (agent !== undefined && (accountId === undefined || accountId === settings.accountId)) return agent;
  throw new ServiceFault({
    type: 'ResourceNotFoundException',
    message: `No endpoint or agent found for agent '${arnOrId}'. This local runtime has: ${agents.map(({ arn }) => arn).join(', ')}`,
  });
}

function callerHeaders({ headers, raw: { rawHeaders } }: FastifyRequest): IncomingHttpHeaders {
  const index = rawHeaders.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type');
  return index < 0 ? headers : { ...headers, 'content-type': rawHeaders[index + 1] };
}

export function calledSessionId(header: string | string[] | undefined, isNeeded: boolean): string {
  if (header === undefined && !isNeeded) return randomUUID();
  if (typeof header === 'string' && isSessionId(header)) return header;
  throw invalidField(
    `Value at '${runtimeHeaders.sessionId}' failed to satisfy constraint: expected 33 to 256 letters, digits, "-" and "_" ` +
      `that start with a letter or digit, got ${header === undefined ? 'no header' : JSON.stringify(header)}`,
  );
}

function hangUpOf(reply: FastifyReply): AbortSignal {
  const hangUp = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) hangUp.abort(new Error('The caller closed the connection.'));
  });
  return hangUp.signal;
}
