import { describe, expect, it } from 'vitest';
import { forwardedHeaders } from './forwarded-headers.ts';

const input = { sessionId: 's', requestId: 'r', region: 'us-west-2', contentLength: 5, allowedHeaders: [] };
const always = [
  'content-length',
  'host',
  'x-amzn-bedrock-agentcore-runtime-session-id',
  'x-amzn-requestid',
  'x-amzn-trace-id',
];

describe('forwardedHeaders', () => {
  it('is the default set and nothing else', () => {
    const headers = forwardedHeaders({
      ...input,
      headers: {
        authorization: 'AWS4-HMAC-SHA256 Credential=...',
        'user-agent': 'aws-sdk-js',
        'amz-sdk-request': 'attempt=1',
        'x-amzn-bedrock-agentcore-runtime-user-id': 'someone',
        'x-custom': 'lost',
        cookie: 'a=b',
        traceparent: '00-1-2-3',
      },
    });
    expect(Object.keys(headers).toSorted()).toEqual(always);
    expect(headers['x-amzn-trace-id']).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/);
  });

  it('passes what the caller chose, unchanged', () => {
    const headers = forwardedHeaders({
      ...input,
      headers: {
        'content-type': 'no/such;;type',
        accept: '*/*',
        baggage: 'k=v',
        'x-amzn-trace-id': 'Root=1-a-b',
      },
    });
    expect(headers).toMatchObject({
      'content-type': 'no/such;;type',
      accept: '*/*',
      baggage: 'k=v',
      'x-amzn-trace-id': 'Root=1-a-b',
    });
  });

  it('adds the allowlist', () => {
    const headers = forwardedHeaders({
      ...input,
      headers: { 'x-custom': 'kept' },
      allowedHeaders: ['x-custom', 'x-none'],
    });
    expect(headers['x-custom']).toBe('kept');
    expect('x-none' in headers).toBe(false);
  });
});
