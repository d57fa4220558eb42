import { defaultProvider } from '@aws-sdk/credential-provider-node';
import {
  ArtError,
  isJsonObject,
  type JsonObject,
  joinSentences,
  partitionOfRegion,
  readMember,
  signingAdvice,
} from '@art/ground';
import { Hash } from '@smithy/hash-node';
import { SignatureV4 } from '@smithy/signature-v4';
import type { CliContext } from '../cli-context.ts';

const answerWithinMs = 60_000;

/** One call of AgentCore's control plane. */
export type ControlCall = (
  call: { method: 'GET' | 'POST' | 'PUT'; path: string; query?: Record<string, string>; body?: JsonObject },
  signal: AbortSignal,
) => Promise<JsonObject>;

/**
 * AgentCore's control plane in a region, with the credentials of this environment. Signed by hand: the clients of npm drop the members that they do
 * not know.
 */
export function signedControl(region: string, env: CliContext['env']): ControlCall {
  const endpoint = new URL(
    env['AWS_ENDPOINT_URL_BEDROCK_AGENTCORE_CONTROL'] ??
      env['AWS_ENDPOINT_URL'] ??
      `https://bedrock-agentcore-control.${region}.${partitionOfRegion(region).dnsSuffix}`,
  );
  const signer = new SignatureV4({
    credentials: defaultProvider({ clientConfig: { region } }),
    region,
    service: 'bedrock-agentcore',
    sha256: Hash.bind(null, 'sha256'),
  });
  return async ({ method, path, query = {}, body }, signal) => {
    const { protocol, hostname, port, host } = endpoint;
    const text = body && JSON.stringify(body);
    const json = text === undefined ? {} : { body: text };
    const signed = await signer.sign({
      method,
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path,
      query,
      headers: { host, 'content-type': 'application/json' },
      ...json,
    });
    const { host: _, ...headers } = signed.headers;
    const url = new URL(path, endpoint);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const within = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
    const response = await fetch(url, { method, headers, ...json, redirect: 'error', signal: within });
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok && isJsonObject(answer)) return answer as JsonObject;
    const kind = response.headers.get('x-amzn-errortype')?.split(':')[0] ?? '';
    const said: unknown = readMember(answer, 'message') ?? readMember(answer, 'Message');
    const message = typeof said === 'string' ? said : '';
    throw new ArtError({
      code: 'ART_AGENTCORE_CONTROL',
      message: joinSentences(
        `Expected AgentCore to answer ${method} ${path}, got status ${response.status} ${kind}`,
        message,
        signingAdvice(kind, message),
      ),
    });
  };
}
