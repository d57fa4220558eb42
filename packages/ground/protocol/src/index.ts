export { parseAgentRuntimeArn, type AgentRuntimeArn } from './runtime/agent-runtime-arn.ts';
export type {
  AgentRuntime,
  CallOptions,
  InvocationAnswer,
  InvocationOptions,
  InvokeRequest,
  SocketOptions,
  StopOutcome,
} from './runtime/agent-runtime.ts';
export { classifyRuntimeFailure } from './runtime/classify-runtime-failure.ts';
export { documentRewards, finalReward, readReward, type RewardProblem } from './rollout/final-reward.ts';
export { parseInvocationReply, type InvocationReply } from './rollout/invocation-reply.ts';
export type { PingReply, PingStatus } from './runtime/ping.ts';
export {
  completeResultDocument,
  errorDocument,
  formatResultDocument,
  infrastructureStop,
  isSuccessDocument,
  parseResultDocument,
  reservedResultFields,
  unreachableField,
  type ErrorDocument,
  type ResultDocument,
  type ResultDocumentContext,
} from './rollout/result-document.ts';
export {
  agentLabelExpected,
  agentLabelHeader,
  agentLabelHeaders,
  isAgentLabel,
} from './rollout/agent-label.ts';
export {
  aSessionCeilings,
  type Ceiling,
  ceilingUnits,
  type CeilingUnit,
  reachedUnit,
  type ReachedCeiling,
  readCeiling,
  type SessionCeilings,
  type Spent,
} from './rollout/ceiling.ts';
export { aPriceTable, costOfTokens, priceOf, type PriceTable } from './rollout/price-table.ts';
export { buildResultKey, maxResultKeyBytes } from './rollout/result-key.ts';
export {
  parseRipConfig,
  parseRolloutConfig,
  type RolloutConfig,
  type RolloutTarget,
  traceContextField,
} from './rollout/rollout-config.ts';
export {
  rolloutOutcomeKinds,
  type RolloutOutcome,
  type RolloutOutcomeKind,
} from './rollout/rollout-outcome.ts';
export { RuntimeError, type RuntimeErrorCode, type RuntimeErrorInit } from './runtime/runtime-error.ts';
export type { RuntimeEvent, ThrottledEvent } from './runtime/runtime-event.ts';
export { acceptedAnswers, maxPayloadBytes, runtimeHeaders } from './runtime/runtime-headers.ts';
export {
  invocationStateWire,
  parseInvocationState,
  type InvocationFailure,
  type InvocationNotes,
  type InvocationState,
} from './rip/invocation-state.ts';
export {
  formatRipRequest,
  isInvocationId,
  parseRipRequest,
  ripEnvelopeField,
  type RipRequest,
} from './rip/rip-request.ts';
export { assertSessionId, isSessionId } from './runtime/session-id.ts';
export type { SessionSocket } from './runtime/session-socket.ts';
export { whenRequestLeaves } from './runtime/when-request-leaves.ts';
