import type { Readable } from 'node:stream';
import { Pool } from 'undici';
import type { EngineReply } from '../engines/engine-transport.ts';
import { EngineBody } from '../proxy/engine-body.ts';
import { EngineDispatch } from '../proxy/engine-dispatch.ts';

/** A request to a gateway process. */
export interface ShardRequest {
  method: string;
  /** With the query. */
  path: string;
  /** Names and values in turn. */
  headers: string[];
  body?: Readable | Buffer | undefined;
  signal?: AbortSignal | undefined;
}

/** An answer that is here in full. */
export interface ShardAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  body: Buffer;
}

const neverAborted = new AbortController().signal;

/** The way to one gateway process, over its socket. */
export class ShardLink {
  readonly #pool: Pool;

  constructor(socketPath: string) {
    this.#pool = new Pool('http://gateway', {
      socketPath,
      // A call may take minutes: nothing is to wait behind it on its connection.
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Resolves with the status; the body comes no faster than it is read. @throws what broke the connection */
  async send({ method, path, headers, body, signal = neverAborted }: ShardRequest): Promise<EngineReply> {
    const dispatch = new EngineDispatch(signal);
    this.#pool.dispatch({ method, path, headers, body: body ?? null }, dispatch);
    return await dispatch.reply;
  }

  /** Waits for the whole answer. @throws what broke the connection */
  async ask(request: ShardRequest): Promise<ShardAnswer> {
    const { status, headers, body } = await this.send(request);
    const chunks = body instanceof EngineBody ? await body.whole() : await Array.fromAsync(body);
    return { status, headers, body: Buffer.concat(chunks) };
  }

  /** Lets what is under way end: replies of a process that has ended may still be on their way here. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}
