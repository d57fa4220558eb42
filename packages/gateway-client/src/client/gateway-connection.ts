import { parseJson, stringifyJson, type CallOptions, type JsonValue } from '@art/protocol';
import { callDeadline, type CallDeadline } from './call-deadline.ts';
import type { CheckedClientOptions } from './gateway-client-options.ts';
import { GatewayError } from './gateway-error.ts';
import { replyError } from './reply-error.ts';

/** One call of the gateway. */
export interface GatewayCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** `/sessions`, already encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: unknown;
  /** Whether doing it twice is as doing it once, so that it may be tried again without knowing what became of it. */
  repeatable: boolean;
  /** @default that of the client */
  timeoutMs?: number | undefined;
}

/** Does calls: time-out, retries, errors, JSON without loss. */
export class GatewayConnection {
  /** The gateway's address, without a slash at its end. */
  readonly url: string;
  readonly #options: Omit<CheckedClientOptions, 'urls'>;

  constructor(url: string, options: Omit<CheckedClientOptions, 'urls'>) {
    this.url = url;
    this.#options = options;
  }

  /** The answer's body as JSON. */
  async json(call: GatewayCall, options: CallOptions): Promise<JsonValue> {
    const text = await this.text(call, options);
    try {
      return parseJson(text);
    } catch (cause) {
      throw new GatewayError({
        code: 'ART_GATEWAY_BAD_REPLY',
        call: nameOf(call),
        message: `expected JSON, got something else; is a gateway at ${this.url}? ${(cause as Error).message}`,
        cause,
      });
    }
  }

  async text(call: GatewayCall, options: CallOptions): Promise<string> {
    return this.#withDeadline(call, options, async (deadline) => {
      const reply = await this.#send(call, deadline);
      return reply.text();
    });
  }

  /** The answer's body as it comes. The deadline covers the time until it begins. */
  async *stream(call: GatewayCall, options: CallOptions): AsyncGenerator<Uint8Array, void, void> {
    const controller = new AbortController();
    const abort = (): void => controller.abort(options.signal?.reason);
    options.signal?.throwIfAborted();
    options.signal?.addEventListener('abort', abort, { once: true });
    try {
      const reply = await this.#withDeadline(call, options, (deadline) => {
        deadline.signal.addEventListener('abort', () => controller.abort(), { once: true });
        return this.#send(call, { ...deadline, signal: controller.signal });
      });
      if (reply.body === null) return;
      try {
        yield* reply.body;
      } catch (error) {
        options.signal?.throwIfAborted();
        throw unreachable(call, error);
      }
    } finally {
      options.signal?.removeEventListener('abort', abort);
      // Whoever leaves the loop early must not leave the connection busy.
      controller.abort();
    }
  }

  /** Tries a call until it is answered, may not be repeated, or time or tries are used up. */
  async #withDeadline<Result>(
    call: GatewayCall,
    options: CallOptions,
    attempt: (deadline: CallDeadline) => Promise<Result>,
  ): Promise<Result> {
    options.signal?.throwIfAborted();
    const timeoutMs = call.timeoutMs ?? this.#options.timeoutMs;
    const deadline = callDeadline(timeoutMs, options.signal);
    try {
      for (let retry = 0; ; retry += 1) {
        try {
          return await attempt(deadline);
        } catch (error) {
          options.signal?.throwIfAborted();
          if (deadline.isOver()) throw timedOut(call, timeoutMs, error);
          if (GatewayError.isInstance(error)) throw error;
          if (!call.repeatable || retry === this.#options.retries) throw unreachable(call, error);
        }
        await pause(this.#options.retryDelayMs * 2 ** retry, deadline.signal);
        options.signal?.throwIfAborted();
        if (deadline.isOver()) throw timedOut(call, timeoutMs, undefined);
      }
    } finally {
      deadline.end();
    }
  }

  async #send(call: GatewayCall, deadline: CallDeadline): Promise<Response> {
    const { fetch, adminToken } = this.#options;
    const headers: Record<string, string> = { accept: 'application/json' };
    if (adminToken !== undefined) headers['authorization'] = `Bearer ${adminToken}`;
    const init: RequestInit = { method: call.method, headers, signal: deadline.signal, redirect: 'error' };
    if (call.body !== undefined) {
      headers['content-type'] = 'application/json';
      init.body = stringifyJson(call.body);
    }
    const reply = await fetch(this.#urlOf(call), init);
    if (reply.ok) return reply;
    throw replyError(nameOf(call), reply.status, await reply.text());
  }

  #urlOf(call: GatewayCall): string {
    const url = new URL(this.url + call.path);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url.href;
  }
}

function nameOf(call: GatewayCall): string {
  return `${call.method} ${call.path}`;
}

function unreachable(call: GatewayCall, cause: unknown): GatewayError {
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const words = reason instanceof Error ? reason.message : String(reason);
  return new GatewayError({
    code: 'ART_GATEWAY_UNREACHABLE',
    call: nameOf(call),
    message: `no answer from the gateway: ${words}. Check that it runs and that its URL is right.`,
    cause,
  });
}

function timedOut(call: GatewayCall, timeoutMs: number, cause: unknown): GatewayError {
  return new GatewayError({
    code: 'ART_GATEWAY_TIMEOUT',
    call: nameOf(call),
    message: `no answer within ${timeoutMs} ms. Raise timeoutMs, or look at what keeps the gateway busy.`,
    cause,
  });
}

/** Resolves after a while, or as soon as the signal aborts. */
function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    signal.addEventListener('abort', done, { once: true });
  });
}
