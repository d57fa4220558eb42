import { type Dispatcher, Pool } from 'undici';
import {
  type EngineReply,
  type EngineRequest,
  type EngineTransport,
  EngineUnreachable,
  type EngineFailure,
} from './engine-transport.ts';
import type { SignRequest } from './sign-request.ts';

/** Pauses and resumes the engine's body. */
export interface BodySource {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

type BodyEnd = { kind: 'open' } | { kind: 'ended' } | { kind: 'failed'; error: Error };

// So much may wait here before the engine is held back.
const highWaterBytes = 65_536;

/**
 * An engine's body on its way, chunk by chunk, no faster than it is taken. Far lighter than a stream, of which each call would
 * need one.
 */
export class EngineBody implements AsyncIterable<Uint8Array> {
  readonly #source: BodySource;
  #chunks: Uint8Array[] = [];
  #queuedBytes = 0;
  #isPaused = false;
  #end: BodyEnd = { kind: 'open' };
  #wake: (() => void) | undefined;

  constructor(source: BodySource) {
    this.#source = source;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes > highWaterBytes && !this.#isPaused) {
      this.#isPaused = true;
      this.#source.pause();
    }
    this.#wakeUp();
  }

  /** Nothing more comes; with an error if it should have. */
  finish(error?: Error): void {
    if (this.#end.kind !== 'open') return;
    this.#end = error === undefined ? { kind: 'ended' } : { kind: 'failed', error };
    this.#wakeUp();
  }

  /** @throws what the connection failed with, behind the chunks that came before */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    try {
      for (;;) {
        const chunks = this.#chunks;
        this.#chunks = [];
        this.#queuedBytes = 0;
        // Not `yield*`, which makes three promises more for each token of a stream.
        for (const chunk of chunks) yield chunk;
        if (this.#chunks.length > 0) continue;
        this.#goOn();
        // What the source had kept back may have come at once, before anybody waited for it.
        if (this.#chunks.length > 0) continue;
        if (this.#end.kind === 'failed') throw this.#end.error;
        if (this.#end.kind === 'ended') return;
        await this.#change();
      }
    } finally {
      if (this.#end.kind === 'open') this.#source.abort(new Error('Nobody reads the answer any more.'));
    }
  }

  #change(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #goOn(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#source.resume();
  }
}

type Progress =
  | { kind: 'queued' }
  | { kind: 'sent'; controller: Dispatcher.DispatchController }
  | { kind: 'answering'; body: EngineBody; controller: Dispatcher.DispatchController }
  | { kind: 'over' };

/** One request in undici's hands; `reply` settles with the status, or with why there is none. */
class EngineDispatch implements Dispatcher.DispatchHandler {
  readonly reply: Promise<EngineReply>;
  readonly #signal: AbortSignal;
  readonly #resolve: (reply: EngineReply) => void;
  readonly #reject: (error: Error) => void;
  #progress: Progress = { kind: 'queued' };

  constructor(signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<EngineReply>();
    this.reply = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    signal.addEventListener('abort', this.#abort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#signal.aborted) controller.abort(aborted());
    else this.#progress = { kind: 'sent', controller };
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // An early hint is not the answer.
    if (status < 200) return;
    const body = new EngineBody(controller);
    this.#progress = { kind: 'answering', body, controller };
    this.#resolve({ status, headers: headers as Record<string, string | string[]>, body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#progress.kind === 'answering') this.#progress.body.push(chunk);
  }

  onResponseEnd(): void {
    this.#over();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#over(error);
  }

  #over(error?: Error): void {
    const progress = this.#progress;
    this.#progress = { kind: 'over' };
    this.#signal.removeEventListener('abort', this.#abort);
    if (progress.kind === 'answering') progress.body.finish(error);
    else this.#reject(error ?? new Error('The connection ended without an answer.'));
  }

  readonly #abort = (): void => {
    const progress = this.#progress;
    if (progress.kind === 'sent' || progress.kind === 'answering') progress.controller.abort(aborted());
    // One that still waits for a connection is taken back as soon as it has one.
    else if (progress.kind === 'queued') this.#reject(aborted());
  };
}

function aborted(): Error {
  return new Error('The call was given up.');
}

/** Options of {@link HttpTransport}. */
export interface HttpTransportOptions {
  /** Most connections to one worker at a time. */
  maxConnections: number;
  /** @default requests go as the agent has authorized them */
  sign?: SignRequest | undefined;
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
    const { method, body } = request;
    const path = prefix + request.path;
    try {
      const signature = await this.#options.sign?.({ method, url: origin + path, body });
      const headers = signature === undefined ? request.headers : signedHeaders(request.headers, signature);
      this.#pool(origin).dispatch({ method, path, headers, body: body ?? null }, dispatch);
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
    // Nobody waits for this: if closing fails, the sockets are gone.
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

/** Puts a signature in the place of the agent's key, and of headers of AWS that are no part of the signature: those are refused. */
function signedHeaders(
  headers: EngineRequest['headers'],
  signature: Readonly<Record<string, string>>,
): EngineRequest['headers'] {
  const others = Object.entries(headers).filter(([name]) => !credential.test(name));
  return { ...Object.fromEntries(others), ...signature };
}

const credential = /^(?:authorization|x-api-key|x-amz-.*)$/;

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
