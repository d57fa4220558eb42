import {
  ArtError,
  isJsonObject,
  type JsonObject,
  joinSentences,
  partitionOfRegion,
  readMember,
  signingAdvice,
} from '@art/ground';
import type { CliContext } from '../cli-context.ts';
import { signByAws } from '../connection/sign-by-aws.ts';

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
  const sign = signByAws('bedrock-agentcore', region);
  return async ({ method, path, query = {}, body }, signal) => {
    const url = new URL(path, endpoint);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const bytes = body && Buffer.from(JSON.stringify(body));
    const headers = await sign({
      method,
      url: url.href,
      body: bytes,
      headers: { 'content-type': 'application/json' },
    });
    const within = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
    const sent = { method, headers, ...(bytes && { body: bytes }) };
    const response = await fetch(url, { ...sent, redirect: 'error', signal: within });
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
