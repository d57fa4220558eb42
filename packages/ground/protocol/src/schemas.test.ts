import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { errorDocument } from './rollout/result-document.ts';
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
