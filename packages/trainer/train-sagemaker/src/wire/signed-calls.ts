import { type Clock, growingPauseMs, pause, systemClock } from '@art/ground';
import { Hash } from '@smithy/hash-node';
import { SignatureV4 } from '@smithy/signature-v4';
import type { KeySource } from '../options/sagemaker-training-options.ts';
import { AwsFailure, readFailure } from './aws-failure.ts';

/** How long one call may take. */
const callWithinMs = 60_000;
/** How long a call is tried again with new keys: of an endpoint that has taken others before, and of one that has not. */
const keysWithinMs = { known: 120_000, unknown: 5_000 };
const keyPauses = { firstMs: 500, longestMs: 15_000, jitter: 0 };
/** The header Date has whole seconds, and an answer takes its time. */
const leastSkewMs = 5_000;

export interface SignedCall {
  method: 'GET' | 'POST';
  path: string;
  /** JSON; undefined for none. */
  body?: object | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  signal?: AbortSignal | undefined;
}

/** Calls of one of SageMaker's services, signed by hand: no client of npm has training sessions. */
export class SignedCalls {
  readonly #endpoint: URL;
  readonly #region: string;
  readonly #credentials: KeySource;
  readonly #clock: Clock;
  /** The time of the service, by its answers, less that of this machine. */
  #skewMs = 0;
  #hasSucceeded = false;

  constructor(endpoint: string, region: string, credentials: KeySource, clock: Clock = systemClock) {
    this.#endpoint = new URL(endpoint);
    this.#region = region;
    this.#credentials = credentials;
    this.#clock = clock;
  }

  /**
   * A call that fails because of its keys is sent again with keys that are asked for anew: sessions live longer than keys do.
   * @throws AwsFailure
   */
  async send(call: SignedCall): Promise<unknown> {
    const beganMs = this.#clock.nowMs();
    let [failures, skewMs] = [0, this.#skewMs];
    for (;;) {
      try {
        const answer = await this.#once(call, failures > 0);
        this.#hasSucceeded = true;
        return answer;
      } catch (error) {
        if (!(error instanceof AwsFailure) || !error.isOfKeys) throw error;
        failures += 1;
        const pauseMs = growingPauseMs(failures, keyPauses);
        const withinMs = this.#hasSucceeded ? keysWithinMs.known : keysWithinMs.unknown;
        if (this.#clock.nowMs() + pauseMs - beganMs > withinMs) throw error;
        // Signed with the wrong time: the right one is known now.
        if (skewMs === this.#skewMs) await pause(pauseMs, { signal: call.signal, clock: this.#clock });
        skewMs = this.#skewMs;
      }
    }
  }

  async #once({ method, path, body, headers, signal }: SignedCall, isRefreshed: boolean): Promise<unknown> {
    const { protocol, hostname, port, host } = this.#endpoint;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const signed = await (
      await this.#signer(isRefreshed)
    ).sign(
      {
        method,
        protocol,
        hostname,
        ...(port !== '' && { port: Number(port) }),
        path,
        query: {},
        headers: { host, ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(text !== undefined && { body: text }),
      },
      { signingDate: new Date(this.#clock.epochMs() + this.#skewMs) },
    );
    const { host: _, ...sent } = signed.headers;
    const timeout = AbortSignal.timeout(callWithinMs);
    let response: Response;
    let answer: string;
    try {
      response = await fetch(new URL(path, this.#endpoint), {
        method,
        headers: sent,
        ...(text !== undefined && { body: text }),
        redirect: 'error',
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      });
      answer = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      throw new AwsFailure('', 0, `no answer came from ${host}: ${reasonOf(cause)}`, cause);
    }
    this.#noteTime(response.headers.get('date'));
    if (!response.ok) throw readFailure(response.status, response.headers.get('x-amzn-errortype'), answer);
    return answer === '' ? {} : (JSON.parse(answer) as unknown);
  }

  async #signer(isRefreshed: boolean): Promise<SignatureV4> {
    try {
      const { accessKeyId, secretAccessKey, sessionToken } = await this.#credentials({
        forceRefresh: isRefreshed,
      });
      return new SignatureV4({
        credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
        region: this.#region,
        // Both services sign by this name, whatever their hosts are called.
        service: 'sagemaker',
        sha256: Hash.bind(null, 'sha256'),
      });
    } catch (cause) {
      // Keys that never were are the caller's to explain.
      if (!this.#hasSucceeded) throw cause;
      throw new AwsFailure('CredentialsUnavailable', 0, `no new keys came: ${reasonOf(cause)}`, cause);
    }
  }

  #noteTime(date: string | null): void {
    const serverMs = Date.parse(date ?? '');
    if (Number.isNaN(serverMs)) return;
    const skewMs = serverMs - this.#clock.epochMs();
    if (Math.abs(skewMs - this.#skewMs) > leastSkewMs)
      this.#skewMs = Math.abs(skewMs) > leastSkewMs ? skewMs : 0;
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
