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
  TraceQueryInput,
  TraceRangeInput,
  WorkerInput,
  WorkersHealth,
} from './client/gateway-calls.ts';
export { readJsonl, readTrainingRows, type JsonlSource, type ReadJsonlOptions } from './jsonl/read-jsonl.ts';
export { writeJsonl } from './jsonl/write-jsonl.ts';
export { expandCompactTraces } from './records/expand-compact-traces.ts';
export type { SessionInfo, WorkerInfo } from './records/session-info.ts';
export type { TraceRecord } from './records/trace-record.ts';
export type {
  TrajectoryCreate,
  TrajectoryCreated,
  TrajectoryFinish,
  TrajectoryFinished,
  TrajectoryStatus,
  TrajectorySummary,
} from './records/trajectory.ts';
export { checkRolloutRows } from './rows/check-rollout-rows.ts';
export { checkTrainingRow } from './rows/check-training-row.ts';
export {
  toPrimeRlSample,
  type PrimeRlSample,
  type PrimeRlSampleOptions,
} from './trainers/to-prime-rl-sample.ts';
export {
  toRllmTrajectory,
  type RllmStep,
  type RllmTrajectory,
  type RllmTrajectoryOptions,
} from './trainers/to-rllm-trajectory.ts';
export { toSlimeSample, type SlimeSample, type SlimeSampleOptions } from './trainers/to-slime-sample.ts';
export {
  toTinkerDatum,
  type TinkerDatum,
  type TinkerDatumOptions,
  type TinkerTensor,
} from './trainers/to-tinker-datum.ts';
export { toTrlBatch, type TrlBatch } from './trainers/to-trl-batch.ts';
export {
  toVerlAgentLoopOutputs,
  type VerlAgentLoopOutput,
  type VerlAgentLoopOutputOptions,
} from './trainers/to-verl-agent-loop-outputs.ts';
export type { TrainingRow, TurnSpan } from './training-row.ts';
