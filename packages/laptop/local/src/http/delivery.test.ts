import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { SessionAgent } from '../process/local-agent.ts';
import { deliveryOf } from './delivery.ts';

/** The headers that a container gets for those of a caller. */
function delivered(headers: IncomingHttpHeaders, allowedHeaders: string[] = []): OutgoingHttpHeaders {
  const call = {
    agent: { allowedHeaders } as unknown as SessionAgent,
    sessionId: 's',
    requestId: 'r',
    headers,
    body: Buffer.from('{"a"}'),
    hangUp: new AbortController().signal,
  };
  const settings = { region: 'us-west-2', requestTimeoutMs: 1, streamTimeoutMs: 1 };
  return deliveryOf(call, settings, { method: 'POST', path: '/invocations' }).headers;
}

const always = [
  'content-length',
  'host',
  'x-amzn-bedrock-agentcore-runtime-session-id',
  'x-amzn-requestid',
  'x-amzn-trace-id',
];

describe('what a container gets of the headers', () => {
  it('is the default set and nothing else', () => {
    const headers = delivered({
      authorization: 'AWS4-HMAC-SHA256 Credential=...',
      'user-agent': 'aws-sdk-js',
      'amz-sdk-request': 'attempt=1',
      'x-amzn-bedrock-agentcore-runtime-user-id': 'someone',
      'x-custom': 'lost',
      cookie: 'a=b',
      traceparent: '00-1-2-3',
    });
    expect(Object.keys(headers).toSorted()).toEqual(always);
    expect(headers['x-amzn-trace-id']).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/);
  });

  it('passes what the caller chose, unchanged', () => {
    const headers = delivered({
      'content-type': 'no/such;;type',
      accept: '*/*',
      baggage: 'k=v',
      'x-amzn-trace-id': 'Root=1-a-b',
    });
    expect(headers).toMatchObject({
      'content-type': 'no/such;;type',
      accept: '*/*',
      baggage: 'k=v',
      'x-amzn-trace-id': 'Root=1-a-b',
    });
  });

  it('adds the allowlist', () => {
    const headers = delivered({ 'x-custom': 'kept' }, ['x-custom', 'x-none']);
    expect(headers['x-custom']).toBe('kept');
    expect('x-none' in headers).toBe(false);
  });
});
