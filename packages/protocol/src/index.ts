export { parseAgentRuntimeArn, type AgentRuntimeArn } from './agent-runtime-arn.ts';
export type {
  AgentRuntime,
  InvocationAnswer,
  InvocationOptions,
  InvokeRequest,
  StopOutcome,
} from './agent-runtime.ts';
export { ArtError, type ArtErrorInit, type ErrorCode } from './art-error.ts';
export type { CallOptions } from './call-options.ts';
export { bucketNameExpected, checkBucketName, isBucketName } from './check-bucket-name.ts';
export { checkOptionNames, optionNames } from './check-option-names.ts';
export { classifyRuntimeFailure, type RuntimeFailure } from './classify-runtime-failure.ts';
export { describeThrown, type ThrownDescription } from './describe-thrown.ts';
export { describeValue } from './describe-value.ts';
export {
  documentRewards,
  finalReward,
  readReward,
  type RewardProblem,
  type RewardReading,
} from './final-reward.ts';
export { parseInvocationReply, type InvocationReply } from './invocation-reply.ts';
export { httpUrlExpected, isHttpUrl } from './is-http-url.ts';
export { joinSentences } from './join-sentences.ts';
export { isJsonObject, maxJsonDepth, type JsonObject, type JsonValue } from './json-value.ts';
export { parseJson, type ParseJsonOptions } from './parse-json.ts';
export type { PingReply, PingStatus } from './ping.ts';
export {
  completeResultDocument,
  errorDocument,
  formatResultDocument,
  infrastructureStop,
  isSuccessDocument,
  parseResultDocument,
  reservedResultFields,
  type ErrorDocument,
  type ResultDocument,
  type ResultDocumentContext,
} from './result-document.ts';
export {
  copyJson,
  JsonCopy,
  type CopyJsonOptions,
  type JsonTextMap,
  type JsonTextPlace,
} from './json-copy.ts';
export { readMember } from './read-member.ts';
export {
  redactRolloutSecrets,
  secretsInHeaders,
  type RedactedPayload,
} from './redaction/redact-rollout-secrets.ts';
export { redactedText } from './redaction/redact-secrets.ts';
export { secretNames, type RedactionOptions, type SecretNames } from './redaction/secret-names.ts';
export { secretScrubber, type SecretScrubber } from './redaction/secret-scrubber.ts';
export { refuseOption } from './refuse-option.ts';
export { buildResultKey, maxResultKeyBytes, parseResultKey, type ResultKeyParts } from './result-key.ts';
export {
  parseRipConfig,
  parseRolloutConfig,
  type RolloutConfig,
  type RolloutConfigWire,
  type RolloutTarget,
} from './rollout-config.ts';
export { rolloutOutcomeKinds, type RolloutOutcome, type RolloutOutcomeKind } from './rollout-outcome.ts';
export {
  RuntimeError,
  type Delivery,
  type RuntimeErrorCode,
  type RuntimeErrorInit,
} from './runtime-error.ts';
export type {
  QuotaPausedEvent,
  QuotaResumedEvent,
  RedisBackEvent,
  RedisLostEvent,
  RetryEvent,
  RuntimeEvent,
  ThrottledEvent,
} from './runtime-event.ts';
export { maxPayloadBytes, runtimeHeaders } from './runtime-headers.ts';
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
  ripVersion,
  type RipRequest,
} from './rip/rip-request.ts';
export { assertSessionId, isSessionId } from './session-id.ts';
export { setOwnMember } from './set-own-member.ts';
export type { StrictNameRules } from './strict-names.ts';
export { stringifyJson, type StringifyJsonOptions } from './stringify-json.ts';
export { whenRequestLeaves, type DepartingRequest, type DepartureSocket } from './when-request-leaves.ts';
