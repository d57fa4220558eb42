import { randomUUID } from 'node:crypto';
import { type Clock, growingPauseMs, retryPatiently, ArtError, joinSentences } from '@art/ground';
import type { ResolvedTinkerOptions } from '../options/tinker-training-options.ts';
import { AccessToken } from './access-token.ts';
import { TinkerFailure } from './tinker-failure.ts';

/** As Tinker's own client: ten tries of a request, 30 s at most between two. */
const tries = 10;
const longestPauseMs = 30_000;
const unpaidPauseMs = 5_000;
const usualAnswerMs = 60_000;
/** For a long poll: Tinker answers one within 45 s, SkyRL within 300 s. */
export const longPollMs = 330_000;

export const protobufType = 'application/x-protobuf';

/** Body of a request: JSON, or bytes of protobuf. */
export type TinkerRequestBody = object | Uint8Array<ArrayBuffer>;

export interface RequestOptions {
  /** @default 'POST' */
  method?: 'POST' | 'DELETE' | undefined;
  signal?: AbortSignal | undefined;
  /** @default JSON */
  accept?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** How long the server may take. @default 60_000 */
  answerWithinMs?: number | undefined;
  /** @default true */
  isRetried?: boolean | undefined;
}

/** An answer: JSON, or the bytes of protobuf where they were asked for. */
export type ResponseBody = { json: unknown } | { bytes: Uint8Array };

/** Requests to one server, with its keys, its retries, and its pauses. */
export class TinkerRequests {
  readonly #options: ResolvedTinkerOptions;
  readonly #clock: Clock;
  readonly #token: AccessToken;

  constructor(options: ResolvedTinkerOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#token = new AccessToken(
      options.apiKey,
      async () => jsonOf(await this.#once('/auth/token', {}, { 'x-api-key': options.apiKey }, {})),
      options.clock,
    );
  }

  /** The server wants tokens in place of the key. */
  useTokens(): void {
    this.#token.useExchange();
  }

  /** @throws ArtError `ART_TINKER_REFUSED`, `ART_TINKER_UNREACHABLE`, `ART_TINKER_UNPAID`; TinkerFailure for 410, which has a meaning of its own */
  async send(path: string, body: TinkerRequestBody, options: RequestOptions = {}): Promise<ResponseBody> {
    const { signal, headers = {}, isRetried = true } = options;
    // The same in every try, so that a request whose answer was lost is not done twice.
    const key = randomUUID();
    const startedAtMs = this.#clock.nowMs();
    let [tried, toldUnpaid] = [0, false];
    try {
      return await retryPatiently(
        async () => this.#withToken(path, body, { ...headers, 'x-idempotency-key': key }, options),
        {
          isRetryable: (error) => {
            if (!(error instanceof TinkerFailure)) return false;
            if (error.status !== 402) return isRetried && error.isTransient && (tried += 1) < tries;
            if (!toldUnpaid)
              this.#options.onNotice('The server suspends the account until it is paid. Waiting.');
            toldUnpaid = true;
            return this.#clock.nowMs() - startedAtMs < this.#options.unpaidForMs;
          },
          pauseMs: (failures, error) => pauseAfter(failures, error as TinkerFailure),
          signal,
          clock: this.#clock,
        },
      );
    } catch (error) {
      throw toArtError(`${options.method ?? 'POST'} ${path}`, error);
    }
  }

  /** A token that the server does not take any more is renewed once. */
  async #withToken(
    path: string,
    body: TinkerRequestBody,
    headers: Record<string, string>,
    options: RequestOptions,
  ): Promise<ResponseBody> {
    try {
      return await this.#once(path, body, { ...headers, 'x-api-key': await this.#token.text() }, options);
    } catch (error) {
      const isExpired = error instanceof TinkerFailure && error.status === 401 && this.#token.isExchanged;
      if (!isExpired) throw error;
      this.#token.forget();
      return this.#once(path, body, { ...headers, 'x-api-key': await this.#token.text() }, options);
    }
  }

  async #once(
    path: string,
    body: TinkerRequestBody,
    headers: Record<string, string>,
    { method = 'POST', signal, accept = 'application/json', answerWithinMs = usualAnswerMs }: RequestOptions,
  ): Promise<ResponseBody> {
    const isBytes = body instanceof Uint8Array;
    const timeout = AbortSignal.timeout(answerWithinMs);
    let response: Response;
    let bytes: Uint8Array;
    try {
      response = await fetch(`${this.#options.baseUrl}/api/v1${path}`, {
        method,
        headers: {
          'content-type': isBytes ? protobufType : 'application/json',
          accept,
          'user-agent': 'art-typescript',
          ...headers,
        },
        ...(method === 'POST' && { body: isBytes ? body : JSON.stringify(body) }),
        // The key goes to the server that was named, and nowhere else.
        redirect: 'error',
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      });
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      signal?.throwIfAborted();
      const { cause: deeper, message } = cause as Error;
      const why = deeper instanceof Error ? deeper.message : message;
      throw new TinkerFailure(0, `no answer came: ${why}`, new Headers(), cause);
    }
    if (!response.ok) throw new TinkerFailure(response.status, textOf(bytes).slice(0, 500), response.headers);
    if (response.headers.get('content-type')?.startsWith(protobufType) === true) return { bytes };
    return { json: bytes.length === 0 ? undefined : parse(path, textOf(bytes)) };
  }
}

export function jsonOf(body: ResponseBody): unknown {
  return 'json' in body ? body.json : undefined;
}

function pauseAfter(failures: number, { status, retryAfterMs }: TinkerFailure): number {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, longestPauseMs);
  if (status === 402) return unpaidPauseMs;
  return growingPauseMs(failures, { firstMs: 1_000, longestMs: longestPauseMs, jitter: 1 });
}

function toArtError(call: string, error: unknown): unknown {
  if (!(error instanceof TinkerFailure) || error.status === 410) return error;
  const { status, message, isTransient } = error;
  const code =
    status === 402 ? 'ART_TINKER_UNPAID' : isTransient ? 'ART_TINKER_UNREACHABLE' : 'ART_TINKER_REFUSED';
  const advice =
    status === 401 || status === 403 ? 'Check the key (TINKER_API_KEY) and the address of the server.' : '';
  return new ArtError({
    code,
    message: joinSentences(`${call} failed${status === 0 ? '' : ` with ${status}`}: ${message}`, advice),
    cause: error,
  });
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ArtError({
      code: 'ART_TINKER_UNKNOWN_ANSWER',
      message: `Expected POST ${path} to answer with JSON, got ${JSON.stringify(text.slice(0, 200))}.`,
      cause,
    });
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
