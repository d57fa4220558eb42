import { Hash } from '@smithy/hash-node';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsKeys } from '../options/sagemaker-training-options.ts';
import { AwsFailure, readFailure } from './aws-failure.ts';

/** How long one call may take. */
const callWithinMs = 60_000;

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
  readonly #signer: SignatureV4;

  constructor(endpoint: string, region: string, credentials: () => Promise<AwsKeys>) {
    this.#endpoint = new URL(endpoint);
    this.#signer = new SignatureV4({
      credentials: async () => {
        const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
        return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
      },
      region,
      // Both services sign by this name, whatever their hosts are called.
      service: 'sagemaker',
      sha256: Hash.bind(null, 'sha256'),
    });
  }

  /** @throws AwsFailure */
  async send({ method, path, body, headers, signal }: SignedCall): Promise<unknown> {
    const { protocol, hostname, port, host } = this.#endpoint;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const signed = await this.#signer.sign({
      method,
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path,
      query: {},
      headers: { host, ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(text !== undefined && { body: text }),
    });
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
    if (!response.ok) throw readFailure(response.status, response.headers.get('x-amzn-errortype'), answer);
    return answer === '' ? {} : (JSON.parse(answer) as unknown);
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
