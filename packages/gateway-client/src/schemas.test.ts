import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { SessionInfo, WorkerInfo } from './records/session-info.ts';
import type { TraceRecord } from './records/trace-record.ts';
import type {
  TrajectoryCreate,
  TrajectoryCreated,
  TrajectoryFinish,
  TrajectoryFinished,
  TrajectoryStatus,
} from './records/trajectory.ts';
import type {
  SessionInfoSchema,
  TrajectoryCreatedSchema,
  TrajectoryFinishSchema,
  TrajectoryStatusSchema,
  WorkerInfoSchema,
} from './schemas.ts';
import {
  TraceRecordSchema,
  TrainingRowSchema,
  TrajectoryCreateSchema,
  TrajectoryFinishedSchema,
} from './schemas.ts';
import { sampleRow } from './training-row.fixture.ts';
import type { TrainingRow } from './training-row.ts';

/** The same type with every member and list read-only: schemas cannot say that, interfaces do. */
type Frozen<Type> = Type extends object ? { readonly [Name in keyof Type]: Frozen<Type[Name]> } : Type;
type Of<Schema extends TSchema> = Frozen<Static<Schema>>;

describe('schemas', () => {
  it('have the types that are exported without them', () => {
    expectTypeOf<Of<typeof TrainingRowSchema>>().toEqualTypeOf<Frozen<TrainingRow>>();
    expectTypeOf<Of<typeof TraceRecordSchema>>().toEqualTypeOf<Frozen<TraceRecord>>();
    expectTypeOf<Of<typeof SessionInfoSchema>>().toEqualTypeOf<Frozen<SessionInfo>>();
    expectTypeOf<Of<typeof WorkerInfoSchema>>().toEqualTypeOf<Frozen<WorkerInfo>>();
    expectTypeOf<Of<typeof TrajectoryCreateSchema>>().toEqualTypeOf<Frozen<TrajectoryCreate>>();
    expectTypeOf<Of<typeof TrajectoryCreatedSchema>>().toEqualTypeOf<Frozen<TrajectoryCreated>>();
    expectTypeOf<Of<typeof TrajectoryStatusSchema>>().toEqualTypeOf<Frozen<TrajectoryStatus>>();
    expectTypeOf<Of<typeof TrajectoryFinishSchema>>().toEqualTypeOf<Frozen<TrajectoryFinish>>();
    expectTypeOf<Of<typeof TrajectoryFinishedSchema>>().toEqualTypeOf<Frozen<TrajectoryFinished>>();
  });

  it('take a row and refuse one with a field of another type', () => {
    expect(Value.Check(TrainingRowSchema, sampleRow())).toBe(true);
    expect(Value.Check(TrainingRowSchema, { ...sampleRow(), reward: '1' })).toBe(false);
    expect(Value.Check(TrainingRowSchema, { ...sampleRow(), schema: 'art.training-row.v2' })).toBe(false);
    expect(Value.Check(TrajectoryFinishedSchema, { session_id: 's', records: [sampleRow()] })).toBe(true);
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

  it('refuse a trajectory without a session', () => {
    expect(Value.Check(TrajectoryCreateSchema, { session_id: 's', max_turns: 3 })).toBe(true);
    expect(Value.Check(TrajectoryCreateSchema, { session_id: '' })).toBe(false);
    expect(Value.Check(TrajectoryCreateSchema, { session_id: 's', max_turns: 0 })).toBe(false);
  });
});
