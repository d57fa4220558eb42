export type { LocalClock } from './clock.ts';
export { checkFaultPlan } from './faults/check-fault-plan.ts';
export type {
  DelayFault,
  DropFault,
  DuplicateFault,
  ErrorFault,
  Fault,
  FaultDuration,
  FaultKind,
  FaultMoment,
  ForgetFault,
  HideFromListsFault,
  HideFromReadsFault,
  KillFault,
  LosePingsFault,
  ResetFault,
  SlowBodyFault,
} from './faults/fault.ts';
export type { FaultOperation } from './faults/fault-operation.ts';
export type { FaultMatch, FaultPlan, FaultRule } from './faults/fault-plan.ts';
export type { InjectedFault } from './faults/injected-fault.ts';
export { HttpAgentRuntime, type HttpAgentRuntimeOptions } from './http-agent-runtime.ts';
export type { LocalAgentOptions, LocalRuntimeOptions } from './local-runtime-options.ts';
export type { LocalRuntime } from './local-runtime.ts';
export type { EndpointEvent, EndpointLogEntry } from './service/endpoint-log.ts';
export type { LocalMetrics, SessionAttempts } from './service/metrics.ts';
export type { ServiceLimitOptions } from './service/service-limits.ts';
export type { FaultType } from './service/service-fault.ts';
export type { ContainerError, LocalSessionInfo } from './session/session-info.ts';
export type { SessionEndReason } from './session/session-state.ts';
export { FileObjectBackend, type FileObjectBackendOptions } from './s3/backend/file-object-backend.ts';
export { MemoryObjectBackend } from './s3/backend/memory-object-backend.ts';
export type { ObjectBackend } from './s3/backend/object-backend.ts';
export { registerS3Endpoint } from './s3/register-s3-endpoint.ts';
export type { S3EndpointOptions } from './s3/s3-settings.ts';
export { startLocalRuntime } from './start-local-runtime.ts';
