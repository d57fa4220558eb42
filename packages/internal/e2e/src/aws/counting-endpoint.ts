import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { mostPerSecond } from './most-per-second.ts';

export interface CountingEndpoint extends AsyncDisposable {
  endpoint: string;
  /** When each InvokeAgentRuntime request came, in milliseconds of the monotonic clock. */
  arrivalsMs: readonly number[];
  /** Most of them within any second. */
  mostPerSecond(): number;
}

/**
 * Notes when invocations arrive. With `forwardTo` every request continues to that endpoint; without it invocations are
 * answered at once, so that rates can be measured with nothing else on the machine.
 */
export async function startCountingEndpoint(forwardTo?: string): Promise<CountingEndpoint> {
  const arrivalsMs: number[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/invocations') === true) arrivalsMs.push(performance.now());
    if (forwardTo === undefined) acceptRollout(request, response);
    else forward(request, response, new URL(request.url ?? '/', forwardTo), agent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivalsMs,
    mostPerSecond: () => mostPerSecond(arrivalsMs),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function acceptRollout(request: IncomingMessage, response: ServerResponse): void {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end('{"status":"processing"}');
  });
}

function forward(request: IncomingMessage, response: ServerResponse, target: URL, agent: Agent): void {
  const { method, headers } = request;
  const onward = httpRequest(target, { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}
