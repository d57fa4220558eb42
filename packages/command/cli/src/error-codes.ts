export const errorCodes = {
  ART_NO_DEV_INSTANCE:
    'No running `art dev` was found for this folder. Start one, or name a runtime with --arn.',
  ART_OTEL_MISSING:
    'The SDK of OpenTelemetry is not installed where the option `--otel` looks for it. Install `@opentelemetry/api` and `@opentelemetry/sdk-node`.',
  ART_AGENTCORE_CONTROL:
    "AgentCore's control plane refused a setting of a runtime, or an update failed, for one because its warm-up did. The message has its words; the agent is deployed, its settings are those of before.",
  ART_OUTPUT_FAILED:
    'A file or folder of results could not be made or written. Make room, or name another one; a run that has begun can be resumed.',
} as const;
