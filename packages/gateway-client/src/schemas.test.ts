import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { SessionInfo, WorkerInfo } from './records/session-info.ts';
import { sampleRow } from '@art/trajectories/testing';
import type {
  TrajectoryCreate,
  TrajectoryCreated,
  TrajectoryFinish,
  TrajectoryFinished,
  TrajectoryStatus,
} from './records/trajectory.ts';
import {
  type SessionInfoSchema,
  type TrajectoryCreatedSchema,
  type TrajectoryFinishSchema,
  type TrajectoryStatusSchema,
  type WorkerInfoSchema,
  TrajectoryCreateSchema,
  TrajectoryFinishedSchema,
} from './schemas.ts';

/** The same type with every member and list read-only: schemas cannot say that, interfaces do. */
type Frozen<Type> = Type extends object ? { readonly [Name in keyof Type]: Frozen<Type[Name]> } : Type;
type Of<Schema extends TSchema> = Frozen<Static<Schema>>;

describe('schemas', () => {
  it('have the types that are exported without them', () => {
    expectTypeOf<Of<typeof SessionInfoSchema>>().toEqualTypeOf<Frozen<SessionInfo>>();
    expectTypeOf<Of<typeof WorkerInfoSchema>>().toEqualTypeOf<Frozen<WorkerInfo>>();
    expectTypeOf<Of<typeof TrajectoryCreateSchema>>().toEqualTypeOf<Frozen<TrajectoryCreate>>();
    expectTypeOf<Of<typeof TrajectoryCreatedSchema>>().toEqualTypeOf<Frozen<TrajectoryCreated>>();
    expectTypeOf<Of<typeof TrajectoryStatusSchema>>().toEqualTypeOf<Frozen<TrajectoryStatus>>();
    expectTypeOf<Of<typeof TrajectoryFinishSchema>>().toEqualTypeOf<Frozen<TrajectoryFinish>>();
    expectTypeOf<Of<typeof TrajectoryFinishedSchema>>().toEqualTypeOf<Frozen<TrajectoryFinished>>();
  });

  it('take the rows of a finished trajectory', () => {
    expect(Value.Check(TrajectoryFinishedSchema, { session_id: 's', records: [sampleRow()] })).toBe(true);
    const records = [{ ...sampleRow(), reward: '1' }];
    expect(Value.Check(TrajectoryFinishedSchema, { session_id: 's', records })).toBe(false);
  });

  it('refuse a trajectory without a session', () => {
    expect(Value.Check(TrajectoryCreateSchema, { session_id: 's', max_turns: 3 })).toBe(true);
    expect(Value.Check(TrajectoryCreateSchema, { session_id: '' })).toBe(false);
    expect(Value.Check(TrajectoryCreateSchema, { session_id: 's', max_turns: 0 })).toBe(false);
  });
});
