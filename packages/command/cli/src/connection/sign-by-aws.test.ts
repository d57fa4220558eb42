import { createHash, createHmac } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { signByAws } from './sign-by-aws.ts';

afterEach(() => vi.unstubAllEnvs());

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

it.each([
  ['POST', 'https://bedrock-runtime.us-west-2.amazonaws.com/openai/v1/chat/completions', '{"a":"é"}', ''],
  ['GET', 'http://127.0.0.1:8080/v1/models?b=2&a=x%20y', '', 'a=x%20y&b=2'],
])('%s %s has the signature that AWS documents', async (method, url, body, query) => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'token');
  const sign = signByAws('bedrock', 'us-west-2');
  const headers = await sign({ method, url, body: body === '' ? undefined : Buffer.from(body) });
  const { authorization, 'x-amz-date': at, ...others } = headers;
  const [, scope, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
      authorization!,
    )!;
  const day = at!.slice(0, 8);
  expect(scope).toBe(`${day}/us-west-2/bedrock/aws4_request`);
  expect(others).toMatchObject({ 'x-amz-security-token': 'token' });
  // AWS General Reference, "Create a signed AWS API request".
  const { host, pathname } = new URL(url);
  const all: Record<string, string> = { ...headers, host };
  const canonical = [
    method,
    pathname,
    query,
    ...names!.split(';').map((name) => `${name}:${all[name]}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n');
  const key = [day, 'us-west-2', 'bedrock', 'aws4_request'].reduce<string | Buffer>(hmac, 'AWS4secret');
  expect(signature).toBe(hmac(key, toSign).toString('hex'));
});
