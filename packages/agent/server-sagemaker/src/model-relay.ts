import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  freshId,
  jsonObjectIn,
  refusedCaller,
  refuseMalformed,
  requestTimeLimits,
  stringifyJson,
} from '@art/ground';
import type { FreshToken } from './fresh-token.ts';
import { jobHeaders, type SageMakerRequest } from './rollout-request.ts';

const host = '127.0.0.1';
/** The path that a model client calls. The job runtime has others at the same address, for the reward among them. */
const passedPath = '/v1/chat/completions';
/** As much as the job runtime takes. */
const mostBodyBytes = 100_000_000;

/** The model of one rollout, at an address on loopback that any client takes. */
export interface ModelRelay {
  baseUrl: string;
  apiKey: string;
  /** Ends calls that are under way, and takes no more. */
  close(): Promise<void>;
}

/**
 * Stands between the agent's model client and the job runtime. It adds what the runtime wants, the headers of the rollout and
 * a bearer token that is never older than five minutes, and signs anew after a 403. So any framework works that takes a base
 * URL and a key, for hours, and the token never comes near the handler.
 *
 * The trainer's sampling parameters replace what the client sends: tokens that were sampled otherwise cannot be trained on.
 */
export async function openModelRelay(rollout: SageMakerRequest, token: FreshToken): Promise<ModelRelay> {
  const apiKey = freshId();
  const ending = new AbortController();
  // Made with the rollout: no connection in it can be from before a restore from a snapshot.
  const agent = new (rollout.endpoint.startsWith('https:') ? SecureAgent : Agent)({ keepAlive: true });
  const server = createServer(requestTimeLimits, (request, response) => {
    void relay(request, response).catch(({ message, code }: NodeJS.ErrnoException) => {
      if (response.headersSent) response.destroy();
      else sendError(response, 502, `The job runtime could not be called: ${message || code}`);
    });
  });

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusedCaller(request, { host });
    if (refusal !== undefined) return sendError(response, 403, refusal.message);
    const { authorization, 'x-api-key': key } = request.headers;
    if (authorization !== `Bearer ${apiKey}` && key !== apiKey)
      return sendError(response, 401, 'Expected the apiKey of context.rollout.');
    if (request.method !== 'POST' || request.url?.split('?', 1)[0] !== passedPath)
      return sendError(response, 404, `Expected POST ${passedPath}, the one call that a model takes here.`);
    const sent = await boundedBody(request);
    if (sent === undefined)
      return sendError(response, 413, `Expected a body of at most ${mostBodyBytes} bytes.`);
    const body = withSamplingParams(sent, rollout.samplingParams);
    const hangUp = new AbortController();
    response.once('close', () => hangUp.abort());
    const signal = AbortSignal.any([hangUp.signal, ending.signal]);
    const used = await token.get();
    let answer = await send(rollout, request, body, { agent, token: used, signal });
    if (answer.statusCode === 403) {
      answer.resume();
      answer = await send(rollout, request, body, { agent, token: await token.after(used), signal });
    }
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
    answer.on('error', () => response.destroy());
    answer.on('aborted', () => response.destroy());
    answer.pipe(response);
  }

  server.on('clientError', refuseMalformed);
  server.listen(0, host);
  await once(server, 'listening');
  // A finished program must not be held open.
  server.unref();
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    apiKey,
    async close() {
      if (!server.listening) return;
      ending.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

/** Undefined where it is larger. */
async function boundedBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = Number(request.headers['content-length'] ?? 0);
  if (bytes > mostBodyBytes) return undefined;
  bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function send(
  rollout: SageMakerRequest,
  { method, url = '', headers }: IncomingMessage,
  body: Buffer,
  { agent, token, signal }: { agent: Agent; token: string; signal: AbortSignal },
): Promise<IncomingMessage> {
  const target = new URL(rollout.endpoint + url);
  const { 'x-api-key': _key, ...passed } = endToEnd(headers);
  const call = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
    method,
    agent,
    signal,
    headers: {
      ...passed,
      ...jobHeaders(rollout),
      host: target.host,
      authorization: `Bearer ${token}`,
      'content-length': body.length,
    },
  });
  const answered = once(call, 'response', { signal });
  call.end(body);
  const [answer] = (await answered) as [IncomingMessage];
  // What breaks later is told by the answer's own events.
  call.on('error', () => undefined);
  return answer;
}

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
]);

function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
}

function withSamplingParams(body: Buffer, params: Readonly<Record<string, number>>): Buffer {
  const sent = Object.keys(params).length === 0 ? undefined : jsonObjectIn(body.toString());
  if (sent === undefined) return body;
  // The newer name of the same limit would contradict.
  if (params['max_tokens'] !== undefined) delete sent['max_completion_tokens'];
  return Buffer.from(stringifyJson({ ...sent, ...params }, { onNonFinite: () => undefined }));
}

function sendError(response: ServerResponse, status: number, message: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { message, type: 'server_error', param: null, code: null } }));
}
