export { agentCommand } from './agent-command.ts';
export { HttpAgentRuntime, type HttpAgentRuntimeOptions } from './http-agent-runtime.ts';
export type { LocalAgentOptions, LocalRuntimeOptions } from './local-runtime-options.ts';
export type { LocalRuntime } from './start-local-runtime.ts';
export type { EndpointEvent, EndpointLogEntry, SessionEndReason, SocketEnd } from './service/endpoint-log.ts';
export type { LocalMetrics, SessionAttempts, SocketMetrics } from './service/metrics.ts';
export type { ServiceLimitOptions } from './service/service-limits.ts';
export { type FaultType, ServiceFault } from './service/service-fault.ts';
export type { WebSocketLimitOptions } from './socket/frame-meter.ts';
export type { ContainerError, LocalSessionInfo } from './session/session-info.ts';
export type {
  FaultySession,
  FaultyRuntime,
  RequestFault,
  RuntimeFaultHooks,
  RuntimeFaults,
} from './session/runtime-faults.ts';
export { FileObjectBackend, type FileObjectBackendOptions } from './s3/backend/file-object-backend.ts';
export { MemoryObjectBackend } from './s3/backend/memory-object-backend.ts';
export { type ObjectBackend } from './s3/backend/object-backend.ts';
export { observedBackend } from './s3/backend/observed-backend.ts';
export { registerS3Endpoint } from './s3/endpoint/register-s3-endpoint.ts';
export { type S3EndpointOptions } from './s3/operations/s3-call.ts';
export { execLine } from './exec-line.ts';
export { moduleAdvice, startFailureReason } from './process/start-failure-reason.ts';
export { returnPort, takePort, tellsTakenPort } from './process/free-port.ts';
export { type AgentServer, type AgentServerOptions, startAgentServer } from './start-agent-server.ts';
export { playedSnapshot, type PlayedSnapshotOptions } from './played-snapshot.ts';
export type { SharedUse } from './snapshot/snapshot-record.ts';
export { startLocalRuntime } from './start-local-runtime.ts';
