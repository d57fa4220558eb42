import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { parseInvocationReply } from './invocation-reply.ts';
import { errorDocument } from './result-document.ts';
import {
  ErrorDocumentSchema,
  InvocationReplySchema,
  PingReplySchema,
  ResultDocumentSchema,
  RolloutConfigSchema,
} from './schemas.ts';

describe('schemas', () => {
  it.each([
    [PingReplySchema, { status: 'Healthy' }, true],
    [PingReplySchema, { status: 'HealthyBusy', time_of_last_update: 1_760_000_000 }, true],
    [PingReplySchema, { status: 'Healthy', time_of_last_update: 1.5 }, false],
    [PingReplySchema, { status: 'Healthy', time_of_last_update: '2026-01-01' }, false],
    [PingReplySchema, { status: 'healthy' }, false],
    [InvocationReplySchema, { status: 'processing', more: 1 }, true],
    [InvocationReplySchema, { status: 'done' }, false],
    [RolloutConfigSchema, { exp_id: 'e', anything: [1] }, true],
    [RolloutConfigSchema, { exp_id: '' }, false],
    [ResultDocumentSchema, { rewards: [1], status_code: 200 }, true],
    [ResultDocumentSchema, { status_code: '200' }, false],
    [ErrorDocumentSchema, errorDocument(new Error('x')), true],
  ])('%#', (schema, value, expected) => {
    expect(Value.Check(schema, value)).toBe(expected);
  });
});

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
