export { parseAgentRuntimeArn, type AgentRuntimeArn } from './agent-runtime-arn.ts';
export type {
  AgentRuntime,
  InvocationAnswer,
  InvocationOptions,
  InvokeRequest,
  StopOutcome,
} from './agent-runtime.ts';
export { ArtError, type ErrorCode } from './art-error.ts';
export type { CallOptions } from './call-options.ts';
export { bucketNameExpected, checkBucketName, isBucketName } from './check-bucket-name.ts';
export { checkNumber, type NumberRule } from './check-number.ts';
export { checkOptionNames, optionNames } from './check-option-names.ts';
export { classifyRuntimeFailure } from './classify-runtime-failure.ts';
export { describeThrown } from './describe-thrown.ts';
export { describeValue } from './describe-value.ts';
export { documentRewards, finalReward, readReward, type RewardProblem } from './final-reward.ts';
export { parseInvocationReply, type InvocationReply } from './invocation-reply.ts';
export { httpUrlExpected, isHttpUrl } from './is-http-url.ts';
export { joinSentences } from './join-sentences.ts';
export { isJsonObject, maxJsonDepth, type JsonObject, type JsonValue } from './json-value.ts';
export { parseJson } from './parse-json.ts';
export type { PingReply, PingStatus } from './ping.ts';
export {
  completeResultDocument,
  errorDocument,
  formatResultDocument,
  infrastructureStop,
  isSuccessDocument,
  parseResultDocument,
  type ErrorDocument,
  type ResultDocument,
  type ResultDocumentContext,
} from './result-document.ts';
export { copyJson, JsonCopy, type JsonTextMap } from './json-copy.ts';
export { readMember } from './read-member.ts';
export { redactRolloutSecrets, secretsInHeaders } from './redaction/redact-rollout-secrets.ts';
export { secretNames, type RedactionOptions } from './redaction/secret-names.ts';
export { secretScrubber, type SecretScrubber } from './redaction/secret-scrubber.ts';
export { refuseOption } from './refuse-option.ts';
export { buildResultKey, maxResultKeyBytes, parseResultKey } from './result-key.ts';
export {
  parseRipConfig,
  parseRolloutConfig,
  type RolloutConfig,
  type RolloutTarget,
} from './rollout-config.ts';
export { rolloutOutcomeKinds, type RolloutOutcome, type RolloutOutcomeKind } from './rollout-outcome.ts';
export { RuntimeError, type RuntimeErrorCode, type RuntimeErrorInit } from './runtime-error.ts';
export type { RuntimeEvent, ThrottledEvent } from './runtime-event.ts';
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
  type RipRequest,
} from './rip/rip-request.ts';
export { assertSessionId, isSessionId } from './session-id.ts';
export { stringifyJson } from './stringify-json.ts';
export { whenRequestLeaves } from './when-request-leaves.ts';
