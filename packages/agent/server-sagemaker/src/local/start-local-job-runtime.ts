import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { once } from 'node:events';
import {
  type Clock,
  pause,
  systemClock,
  httpUrlExpected,
  isHttpUrl,
  refusedCaller,
  refuseMalformed,
  refuseOption,
  requestTimeLimits,
} from '@art/ground';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { checkAuthorization } from './check-authorization.ts';
import { completionStatus, feedbackBody, rewardList, sampledTrajectory } from './job-request.ts';
import { JobRefusal, type JobTrajectory, type TrajectoryName, TrajectoryTable } from './trajectory-table.ts';

/** One call of the job runtime, before it is looked at. */
export interface JobCall {
  operation: 'Sample' | 'SampleWithResponseStream' | 'CompleteRollout' | 'UpdateReward';
  path: string;
  headers: Readonly<Record<string, unknown>>;
  body: Buffer;
}

/**
 * A fault of a call: another answer, a connection that breaks before the call is read (`reset`) or after it was carried
 * out (`lose_reply`), or a delay.
 */
export type JobFault =
  | { kind: 'error'; status: number; message?: string; headers?: Record<string, string> }
  | { kind: 'reset' | 'lose_reply' }
  | { kind: 'delay'; delayMs: number };

export interface LocalJobRuntimeOptions {
  /** The policy: base URL of an API as OpenAI has it, such as `http://127.0.0.1:8000/v1`. */
  modelUrl: string;
  /** Port on 127.0.0.1. @default 0, any free one */
  port?: number | undefined;
  /** The jobs' region, for which bearer tokens must be. @default us-west-2 */
  region?: string | undefined;
  /** Decides what goes wrong. @default nothing */
  fault?: ((call: JobCall) => JobFault | undefined) | undefined;
  /** @default the real clock */
  clock?: Clock | undefined;
}

export interface LocalJobRuntime {
  /** The address that agents get as `metadata.endpoint`. */
  endpoint: string;
  /** Begins a rollout. The promise resolves when it has its reward, or its time is up. */
  open: (name: TrajectoryName, timeoutMs: number) => Promise<JobTrajectory>;
  trajectories: () => JobTrajectory[];
  close: () => Promise<void>;
}

const host = '127.0.0.1';

const paths = {
  '/sample': 'Sample',
  '/sample-with-response-stream': 'SampleWithResponseStream',
  '/v1/chat/completions': 'Sample',
  '/complete-rollout': 'CompleteRollout',
  '/update-reward': 'UpdateReward',
} as const;

/**
 * SageMaker's job runtime on loopback: the four operations of its service model (`sagemakerjobruntime`, 2026-02-01), and the
 * address that OpenAI's clients use, in front of a model. Whether keys are genuine is not checked, only that they have the form.
 *
 * @throws ArtError `ART_INVALID_OPTION`; the system's error (EADDRINUSE) when the port is taken
 */
export async function startLocalJobRuntime(options: LocalJobRuntimeOptions): Promise<LocalJobRuntime> {
  const { modelUrl, port = 0, region = 'us-west-2', fault, clock = systemClock } = options;
  if (!isHttpUrl(modelUrl)) refuseOption('modelUrl', httpUrlExpected, modelUrl);
  const table = new TrajectoryTable(clock);
  const server = fastify({
    forceCloseConnections: true,
    bodyLimit: 100_000_000,
    clientErrorHandler: refuseMalformed,
    http: requestTimeLimits,
    requestTimeout: requestTimeLimits.requestTimeout,
  });
  server.addHook('onRequest', async ({ raw, headers, is404 }) => {
    const refusal = refusedCaller(raw, { host });
    if (refusal !== undefined) throw new JobRefusal(403, refusal.message);
    // Before its body is read.
    if (!is404) checkAuthorization(headers.authorization, region, clock.epochMs());
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.setErrorHandler((error, _request, reply) => sendFault(reply, error));
  server.setNotFoundHandler((request, reply) =>
    sendFault(reply, new JobRefusal(404, `There is no ${request.url}.`)),
  );

  for (const [path, operation] of Object.entries(paths)) {
    server.post(path, async (request, reply) => {
      const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
      const wrong = fault?.({ operation, path, headers: request.headers, body });
      if (wrong?.kind === 'reset') return breakOff(request, reply);
      if (wrong?.kind === 'delay') await pause(wrong.delayMs, { clock });
      if (wrong?.kind === 'error') return sendError(reply, wrong);
      if (operation === 'CompleteRollout' || operation === 'UpdateReward') {
        const { name, members, token } = feedbackBody(body, request.headers);
        if (operation === 'CompleteRollout') table.complete(name, completionStatus(members), token);
        else table.reward(name, rewardList(members), token);
        return wrong?.kind === 'lose_reply' ? breakOff(request, reply) : reply.send({});
      }
      const name = sampledTrajectory(request.headers);
      table.beforeSample(name);
      const answer = await callModel(modelUrl, body, reply);
      if (answer.statusCode === 200) table.sampled(name);
      if (wrong?.kind === 'lose_reply') return breakOff(request, reply);
      return reply
        .code(answer.statusCode ?? 502)
        .header('content-type', answer.headers['content-type'] ?? 'application/json')
        .send(answer);
    });
  }

  const endpoint = await server.listen({ host, port });
  return {
    endpoint,
    open: (name, timeoutMs) => table.open(name, timeoutMs),
    trajectories: () => table.list(),
    close: async () => {
      table.close();
      await server.close();
    },
  };
}

async function callModel(modelUrl: string, body: Buffer, reply: FastifyReply) {
  const hangUp = new AbortController();
  reply.raw.once('close', () => hangUp.abort());
  const target = new URL(`${modelUrl.replace(/\/+$/, '')}/chat/completions`);
  const { signal } = hangUp;
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const call = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
    method: 'POST',
    headers,
    signal,
  });
  const answered = once(call, 'response');
  call.end(body);
  const [answer] = (await answered.catch((cause: unknown) => {
    throw new JobRefusal(
      500,
      `The model at ${modelUrl} does not answer: ${(cause as Error).message || (cause as NodeJS.ErrnoException).code}`,
    );
  })) as [IncomingMessage];
  call.on('error', () => undefined);
  return answer;
}

function breakOff(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

const types: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  402: 'ServiceQuotaExceededException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  409: 'ConflictException',
  429: 'ThrottlingException',
};

function sendFault(reply: FastifyReply, error: unknown): FastifyReply {
  const { httpStatus, statusCode, message } = error as {
    httpStatus?: number;
    statusCode?: number;
    message: string;
  };
  return sendError(reply, { status: httpStatus ?? statusCode ?? 500, message });
}

/** As the service's model has errors, with what OpenAI's clients look for. */
function sendError(
  reply: FastifyReply,
  {
    status,
    message = 'A fault was asked for.',
    headers = {},
  }: { status: number; message?: string; headers?: Record<string, string> },
): FastifyReply {
  const type = types[status] ?? 'InternalServiceError';
  return reply
    .code(status)
    .headers({ ...headers, 'x-amzn-errortype': type })
    .send({ Message: message, error: { message, type, param: null, code: null } });
}
