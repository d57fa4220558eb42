import {
  callWithin,
  growingPauseMs,
  linkSignals,
  retryPatiently,
  parseJson,
  stringifyJson,
  type JsonValue,
  describeThrown,
} from '@art/ground';
import { type CallOptions } from '@art/protocol';
import type { GatewayClientSettings } from './gateway-client-options.ts';
import { GatewayError } from './gateway-error.ts';
import { replyError } from './reply-error.ts';

/** One call of the gateway. */
export interface GatewayCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** `/sessions`, already encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>> | undefined;
  body?: unknown;
  /**
   * True if a repeated call has the effect of one call, so that it may be tried again without knowing the fate of the
   * first.
   */
  repeatable: boolean;
  /** @default that of the client */
  timeoutMs?: number | undefined;
}

/** Does calls: time-out, retries, errors, JSON without loss. */
export class GatewayConnection {
  /** The gateway's address, without a slash at its end. */
  readonly url: string;
  readonly #options: Omit<GatewayClientSettings, 'urls'>;

  constructor(url: string, options: Omit<GatewayClientSettings, 'urls'>) {
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
    return this.#patiently(call, options, async (signal) => (await this.#send(call, signal)).text());
  }

  /** The answer's body as it comes. The deadline covers the time until it begins. */
  async *stream(call: GatewayCall, options: CallOptions): AsyncGenerator<Uint8Array, void, void> {
    const whole = linkSignals(options.signal);
    try {
      const reply = await this.#patiently(call, options, (signal) => {
        signal.addEventListener('abort', () => whole.abort(signal.reason), { once: true });
        return this.#send(call, whole.signal);
      });
      if (reply.body === null) return;
      try {
        yield* reply.body;
      } catch (error) {
        options.signal?.throwIfAborted();
        throw unreachable(call, error);
      }
    } finally {
      whole.unlink();
      // Anyone who leaves the loop early must not leave the connection busy.
      whole.abort(new Error('The stream was left'));
    }
  }

  /** For what is read, and may be read again. */
  get(path: string, options: CallOptions, query?: GatewayCall['query']): Promise<JsonValue> {
    return this.json({ method: 'GET', path, query, repeatable: true }, options);
  }

  /** For calls that may be done twice. */
  post(path: string, body: unknown, options: CallOptions): Promise<JsonValue> {
    return this.json({ method: 'POST', path, body, repeatable: true }, options);
  }

  delete(path: string, options: CallOptions): Promise<JsonValue> {
    return this.json({ method: 'DELETE', path, repeatable: true }, options);
  }

  /** Tries a call until it is answered, may not be repeated, or time or tries are used up. */
  #patiently<Result>(
    call: GatewayCall,
    { signal }: CallOptions,
    attempt: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { retries, retryDelayMs, timeoutMs } = this.#options;
    const timeoutError = (limitMs: number): GatewayError => timedOut(call, limitMs);
    return callWithin(
      (within) =>
        retryPatiently(() => attempt(within), {
          isRetryable: (error) => call.repeatable && !GatewayError.isInstance(error),
          pauseMs: (failures) => growingPauseMs(failures, { firstMs: retryDelayMs, longestMs: Infinity }),
          tries: retries + 1,
          signal: within,
        }).catch((error: unknown) => {
          within.throwIfAborted();
          throw GatewayError.isInstance(error) ? error : unreachable(call, error);
        }),
      { signal, timeoutMs: call.timeoutMs ?? timeoutMs, timeoutError },
    );
  }

  async #send(call: GatewayCall, signal: AbortSignal): Promise<Response> {
    const { fetch, adminToken } = this.#options;
    const headers: Record<string, string> = { accept: 'application/json' };
    if (adminToken !== undefined) headers['authorization'] = `Bearer ${adminToken}`;
    const init: RequestInit = { method: call.method, headers, signal, redirect: 'error' };
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
  const words = describeThrown(reason).message;
  return new GatewayError({
    code: 'ART_GATEWAY_UNREACHABLE',
    call: nameOf(call),
    message: `no answer from the gateway: ${words}. Check that it runs and that its URL is right.`,
    cause,
  });
}

function timedOut(call: GatewayCall, timeoutMs: number): GatewayError {
  return new GatewayError({
    code: 'ART_GATEWAY_TIMEOUT',
    call: nameOf(call),
    message: `no answer within ${timeoutMs} ms. Raise timeoutMs, or look at what keeps the gateway busy.`,
  });
}
