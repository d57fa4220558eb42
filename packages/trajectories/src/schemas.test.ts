import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { TrainingRow } from './rows/training-row.ts';
import { TraceRecordSchema, TrainingRowSchema } from './schemas.ts';
import { sampleRow } from './testing/sample-row.ts';
import type { TraceRecord } from './traces/trace-record.ts';

/** The same type with every member and list read-only: schemas cannot say that, interfaces do. */
type Frozen<Type> = Type extends object ? { readonly [Name in keyof Type]: Frozen<Type[Name]> } : Type;
type Of<Schema extends TSchema> = Frozen<Static<Schema>>;

describe('schemas', () => {
  it('have the types that are exported without them', () => {
    expectTypeOf<Of<typeof TrainingRowSchema>>().toEqualTypeOf<Frozen<TrainingRow>>();
    expectTypeOf<Of<typeof TraceRecordSchema>>().toEqualTypeOf<Frozen<TraceRecord>>();
  });

  it('take a row and refuse one with a field of another type', () => {
    expect(Value.Check(TrainingRowSchema, sampleRow())).toBe(true);
    expect(Value.Check(TrainingRowSchema, { ...sampleRow(), reward: '1' })).toBe(false);
    expect(Value.Check(TrainingRowSchema, { ...sampleRow(), schema: 'art.training-row.v2' })).toBe(false);
  });

  it('take a record of the reference gateway, with fields that nobody knows, but no text for a weight version', () => {
    const record = {
      trace_id: 't',
      session_id: 's',
      model: '',
      messages: [],
      prompt_token_ids: [],
      response_message: {},
      completion_token_ids: [],
      logprobs: null,
      routing_matrices: null,
      finish_reason: null,
      weight_version: 3,
      latency_ms: 0.5,
      token_counts: {},
      timestamp: 0,
      metadata: {},
      raw_request: null,
      raw_response: null,
      something_new: true,
    };
    expect(Value.Check(TraceRecordSchema, record)).toBe(true);
    expect(Value.Check(TraceRecordSchema, { ...record, weight_version: 'step-3' })).toBe(false);
    expect(Value.Check(TraceRecordSchema, { ...record, completion_token_ids: null })).toBe(false);
  });
});
