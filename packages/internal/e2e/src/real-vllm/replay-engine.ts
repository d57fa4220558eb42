import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { text } from 'node:stream/consumers';
import type { Exchange } from '@art/tooling/vllm-recording';

// Made up anew for each call.
const random = new Set(['request_id', 'cache_salt']);

/** A plain HTTP server that sends what the real engine sent, in the same pieces. It answers nothing that was not recorded. */
export class ReplayEngine implements AsyncDisposable {
  readonly url: string;
  /** Requests that the real engine was not asked in this case. */
  readonly unexpected: { method: string; path: string; request: unknown }[] = [];
  readonly #server: ReturnType<typeof createServer>;
  readonly #left: Exchange[];

  private constructor(server: ReturnType<typeof createServer>, exchanges: readonly Exchange[]) {
    this.#server = server;
    this.#left = [...exchanges];
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(exchanges: readonly Exchange[]): Promise<ReplayEngine> {
    const server = createServer((request, response) => {
      engine.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const engine = new ReplayEngine(server, exchanges);
    return engine;
  }

  /** Recorded requests that did not come. */
  get missing(): readonly Exchange[] {
    return this.#left.filter(({ method }) => method !== 'GET');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method = '', url: path = '' } = request;
    const asked = body === '' ? undefined : (JSON.parse(body) as unknown);
    const at = this.#left.findIndex(
      (exchange) => exchange.method === method && exchange.path === path && isSame(exchange.request, asked),
    );
    const exchange = this.#left[at];
    if (exchange === undefined && method === 'GET') {
      // The gateway asks an engine what it is, whenever it likes.
      response.writeHead(404).end();
      return;
    }
    if (exchange === undefined) {
      // What a gateway wants to know of an engine differs from release to release.
      if (method !== 'GET') this.unexpected.push({ method, path, request: asked });
      response.writeHead(method === 'GET' ? 404 : 599).end();
      return;
    }
    // Questions may come any number of times.
    if (method !== 'GET') this.#left.splice(at, 1);
    response.sendDate = false;
    response.writeHead(exchange.status, exchange.headers.flat());
    for (const piece of exchange.pieces) {
      response.write(piece);
      // A piece of its own on the wire, as far as that is in our hands.
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  }
}

function isSame(recorded: unknown, asked: unknown): boolean {
  return isDeepStrictEqual(withoutRandom(recorded), withoutRandom(asked));
}

function withoutRandom(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRandom);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !random.has(name))
      .map(([name, member]) => [name, withoutRandom(member)]),
  );
}
