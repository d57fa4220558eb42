export { SessionInfoSchema, WorkerInfoSchema } from './records/session-info-schema.ts';
export {
  TrajectoryCreatedSchema,
  TrajectoryCreateSchema,
  TrajectoryFinishedSchema,
  TrajectoryFinishSchema,
  TrajectoryStatusSchema,
} from './records/trajectory-schema.ts';
