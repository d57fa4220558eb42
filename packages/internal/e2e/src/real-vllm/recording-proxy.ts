import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Exchange } from '@art/tooling/vllm-recording';

// They belong to the connection, not to the answer.
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** Stands between the gateway and an engine, passes everything on as it comes, and keeps it. */
export class RecordingProxy implements AsyncDisposable {
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #agent: Agent;
  #exchanges: Exchange[] = [];

  private constructor(server: ReturnType<typeof createServer>, agent: Agent) {
    this.#server = server;
    this.#agent = agent;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(engineUrl: string): Promise<RecordingProxy> {
    const agent = new Agent({ keepAlive: true });
    const keep = (exchange: Exchange): void => void proxy.#exchanges.push(exchange);
    const server = createServer((request, response) => {
      pass({ engineUrl, agent, request, response, keep }).catch((error: unknown) =>
        response.destroy(error as Error),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new RecordingProxy(server, agent);
    return proxy;
  }

  /** Exchanges since the last call, in the order in which answers ended. */
  take(): Exchange[] {
    const taken = this.#exchanges;
    this.#exchanges = [];
    return taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await closed;
  }
}

interface Passing {
  engineUrl: string;
  agent: Agent;
  request: IncomingMessage;
  response: ServerResponse;
  keep: (exchange: Exchange) => void;
}

async function pass({ engineUrl, agent, request, response, keep }: Passing): Promise<void> {
  const body = await buffer(request);
  const { method = '', url: path = '' } = request;
  const { host: _host, ...headers } = request.headers;
  const onward = send(`${engineUrl}${path}`, { method, agent, headers });
  // What the gateway gives up is to be given up at the engine.
  response.on('close', () => onward.destroy());
  onward.end(body);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  const told = pairsOf(answer.rawHeaders).filter(([name]) => !ofConnection.has(name.toLowerCase()));
  response.writeHead(answer.statusCode!, told.flat());
  response.flushHeaders();
  const pieces: Buffer[] = [];
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      pieces.push(piece);
      response.write(piece);
    }
  } finally {
    // Who has read the last event may leave before the answer's end is here.
    keep({
      method,
      path,
      ...(body.length > 0 && { request: parsed(body) }),
      status: answer.statusCode!,
      headers: told,
      pieces: textsOf(pieces),
    });
  }
  response.end();
}

function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, at) => [
    rawHeaders[2 * at]!,
    rawHeaders[2 * at + 1]!,
  ]);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return body.toString();
  }
}

/** The pieces as texts; one that ends within a character is joined with the next. */
function textsOf(pieces: readonly Buffer[]): string[] {
  const texts: string[] = [];
  let open = Buffer.alloc(0);
  for (const piece of pieces) {
    open = Buffer.concat([open, piece]);
    if (!isUtf8(open)) continue;
    texts.push(open.toString());
    open = Buffer.alloc(0);
  }
  return texts;
}
