export { GatewayClient } from './client/gateway-client.ts';
export type { GatewayClientOptions } from './client/gateway-client-options.ts';
export type { FinishedTrajectory } from './client/finished-trajectory.ts';
export { GatewayError, type GatewayErrorInit } from './client/gateway-error.ts';
export type {
  AddedWorker,
  CreatedSession,
  CreateSessionInput,
  CreateTrajectoryInput,
  FinishTrajectoryInput,
  CaptureQueryInput,
  CaptureRangeInput,
  WorkerInput,
  WorkersHealth,
} from './client/gateway-calls.ts';
export type { SessionInfo, WorkerInfo } from './records/session-info.ts';
export type { TrajectoryCreated, TrajectoryStatus, TrajectorySummaryRecord } from './records/trajectory.ts';
