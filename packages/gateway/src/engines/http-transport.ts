import { Pool } from 'undici';
import {
  type EngineReply,
  type EngineRequest,
  type EngineTransport,
  EngineUnreachable,
  type EngineFailure,
} from './engine-transport.ts';
import { EngineDispatch } from './engine-dispatch.ts';

/** Options of {@link HttpTransport}. */
export interface HttpTransportOptions {
  /** Most connections to one worker at a time. */
  maxConnections: number;
}

interface EnginePlace {
  origin: string;
  /** The path of the base URL, if it has one. */
  prefix: string;
}

/** Engines over HTTP/1.1: one pool of connections a worker, one call a connection, no time limit on a silent engine. */
export class HttpTransport implements EngineTransport {
  readonly #options: HttpTransportOptions;
  readonly #pools = new Map<string, Pool>();
  // Parsing a URL costs more than all else that a call needs here.
  readonly #places = new Map<string, EnginePlace>();

  constructor(options: HttpTransportOptions) {
    this.#options = options;
  }

  async send(request: EngineRequest): Promise<EngineReply> {
    const { baseUrl, signal } = request;
    if (signal.aborted) throw new EngineUnreachable({ baseUrl, failure: 'aborted', cause: signal.reason });
    const { origin, prefix } = this.#place(baseUrl);
    const dispatch = new EngineDispatch(signal);
    const { method, headers, body = null } = request;
    try {
      this.#pool(origin).dispatch({ method, path: prefix + request.path, headers, body }, dispatch);
      return await dispatch.reply;
    } catch (cause) {
      throw new EngineUnreachable({ baseUrl, failure: failureOf(cause, signal), cause });
    }
  }

  /** Lets go of the connections to a worker that was removed, once its calls are through. */
  forget(baseUrl: string): void {
    const { origin } = this.#place(baseUrl);
    this.#places.delete(baseUrl);
    const pool = this.#pools.get(origin);
    if (pool === undefined) return;
    this.#pools.delete(origin);
    // Nobody is left to tell if closing fails; the sockets are gone then.
    pool.close().catch(() => undefined);
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #place(baseUrl: string): EnginePlace {
    const known = this.#places.get(baseUrl);
    if (known !== undefined) return known;
    const { origin, pathname } = new URL(baseUrl);
    const place = { origin, prefix: pathname === '/' ? '' : pathname.replace(/\/$/, '') };
    this.#places.set(baseUrl, place);
    return place;
  }

  #pool(origin: string): Pool {
    const known = this.#pools.get(origin);
    if (known !== undefined) return known;
    const pool = new Pool(origin, {
      connections: this.#options.maxConnections,
      // A call may take minutes: nothing is to wait behind it on its connection.
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: 10_000,
      allowH2: false,
    });
    this.#pools.set(origin, pool);
    return pool;
  }
}

const notConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function failureOf(cause: unknown, signal: AbortSignal): EngineFailure {
  if (signal.aborted) return 'aborted';
  const { code, errors } = cause as { code?: string; errors?: { code?: string }[] };
  const codes = [code, ...(errors ?? []).map((inner) => inner.code)];
  return codes.some((one) => one !== undefined && notConnected.has(one)) ? 'not_connected' : 'broken';
}
