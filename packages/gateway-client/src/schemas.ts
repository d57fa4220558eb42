export { SessionInfoSchema, WorkerInfoSchema } from './records/session-info-schema.ts';
export { TraceRecordSchema } from './records/trace-record-schema.ts';
export {
  TrajectoryCreatedSchema,
  TrajectoryCreateSchema,
  TrajectoryFinishedSchema,
  TrajectoryFinishSchema,
  TrajectoryStatusSchema,
} from './records/trajectory-schema.ts';
export { TrainingRowSchema, TurnSpanSchema } from './rows/training-row-schema.ts';
