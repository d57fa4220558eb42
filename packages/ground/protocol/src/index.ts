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
export { ArtError, type ErrorCode } from './errors/art-error.ts';
export { bucketNameExpected, checkBucketName, isBucketName } from './options/check-bucket-name.ts';
export { classifyRuntimeFailure } from './runtime/classify-runtime-failure.ts';
export { describeThrown } from './errors/describe-thrown.ts';
export { describeValue } from './errors/describe-value.ts';
export { documentRewards, finalReward, readReward, type RewardProblem } from './rollout/final-reward.ts';
export { parseInvocationReply, type InvocationReply } from './rollout/invocation-reply.ts';
export { anHttpUrl, httpUrlExpected, isHttpUrl } from './options/is-http-url.ts';
export { shownUrl } from './options/shown-url.ts';
export {
  aBoolean,
  aFunction,
  aNumber,
  anyObject,
  unchecked,
  aText,
  custom,
  matching,
  oneOf,
  optional,
  withMethod,
  type NumberRange,
  type OptionRule,
} from './options/option-rules.ts';
export { joinSentences } from './errors/join-sentences.ts';
export { isJsonObject, maxJsonDepth, type JsonObject, type JsonValue } from './json/json-value.ts';
export { parseJson } from './json/parse-json.ts';
export type { PingReply, PingStatus } from './runtime/ping.ts';
export {
  completeResultDocument,
  errorDocument,
  formatResultDocument,
  infrastructureStop,
  isSuccessDocument,
  parseResultDocument,
  unreachableField,
  type ErrorDocument,
  type ResultDocument,
  type ResultDocumentContext,
} from './rollout/result-document.ts';
export { copyJson, JsonCopy, type JsonTextMap } from './json/json-copy.ts';
export {
  agentLabelExpected,
  agentLabelHeader,
  agentLabelHeaders,
  isAgentLabel,
} from './rollout/agent-label.ts';
export { reachAdvice } from './errors/reach-advice.ts';
export { readMember } from './errors/read-member.ts';
export { redactRolloutSecrets, secretsInHeaders } from './redaction/redact-rollout-secrets.ts';
export { secretNames, type RedactionOptions } from './redaction/secret-names.ts';
export { secretScrubber, type SecretScrubber } from './redaction/secret-scrubber.ts';
export { anObject, readOptions, type OptionRules, type ReadOptions } from './options/read-options.ts';
export { refuseOption } from './options/refuse-option.ts';
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
export { maxPayloadBytes, runtimeHeaders } from './runtime/runtime-headers.ts';
export {
  invocationStateWire,
  parseInvocationState,
  type InvocationFailure,
  type InvocationState,
} from './rip/invocation-state.ts';
export {
  formatRipRequest,
  isInvocationId,
  parseRipRequest,
  ripEnvelopeField,
  type RipRequest,
} from './rip/rip-request.ts';
export { makeDirectory } from './files/make-directory.ts';
export { syncDirectory } from './files/sync-directory.ts';
export { isProcessAlive } from './process/is-process-alive.ts';
export { connectionHeaders } from './http/connection-headers.ts';
export { isLoopback } from './http/is-loopback.ts';
export { type CallerRefusal, type CallerRules, refusedCaller } from './http/refused-caller.ts';
export { requestTimeLimits } from './http/request-time-limits.ts';
export { assertSessionId, isSessionId } from './runtime/session-id.ts';
export type { SessionSocket } from './runtime/session-socket.ts';
export { signingAdvice } from './errors/signing-advice.ts';
export { similarName } from './options/similar-name.ts';
export { stringifyJson } from './json/stringify-json.ts';
export { whenRequestLeaves } from './runtime/when-request-leaves.ts';
