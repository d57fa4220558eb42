import { describe, expect, it } from 'vitest';
import { parseInvocationReply } from './invocation-reply.ts';

describe('parseInvocationReply', () => {
  it("reads an agent's answer and keeps unknown fields", () => {
    const reply = { status: 'processing', s3_bucket: 'b', result_key: 'k', extra: true };
    expect(parseInvocationReply(JSON.stringify(reply))).toEqual(reply);
  });

  it.each([
    '',
    'OK',
    '[]',
    'null',
    '{"status":"done"}',
    '{"error":"No entrypoint defined"}',
    '{"status":"processing","result_key":5}',
  ])('refuses %j', (body) => {
    expect(() => parseInvocationReply(body)).toThrowError(
      expect.objectContaining({ code: 'ART_INVALID_REPLY' }) as Error,
    );
  });
});
