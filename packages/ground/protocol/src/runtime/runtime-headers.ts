/**
 * Header names of AgentCore Runtime, in lower case as Node reports them.
 * Source: Bedrock AgentCore developer guide, runtime HTTP protocol contract and header allowlist.
 */
export const runtimeHeaders = {
  sessionId: 'x-amzn-bedrock-agentcore-runtime-session-id',
  /** The header that AWS's SDKs for agents look for first. */
  runtimeRequestId: 'x-amzn-bedrock-agentcore-runtime-request-id',
  /** The header that the platform really sends to the container. */
  requestId: 'x-amzn-requestid',
  traceId: 'x-amzn-trace-id',
  baggage: 'baggage',
  /** In answers of runtimes with `allowedPorts`: where their session can be called directly. */
  sessionEndpointUrl: 'x-amzn-bedrock-agentcore-runtime-session-endpoint-url',
  errorType: 'x-amzn-errortype',
  customPrefix: 'x-amzn-bedrock-agentcore-runtime-custom-',
  workloadAccessToken: 'workloadaccesstoken',
  identityWorkloadAccessToken: 'x-amz-bedrock-agentcore-identity-wat',
  oauth2CallbackUrl: 'oauth2callbackurl',
} as const;

/**
 * Kinds of answers that a call of an agent takes, for its `accept` header. AWS's own templates that stream answer 406 to a caller that does not
 * name events (`bedrock-agentcore` 0.2 and 0.4 on npm).
 */
export const acceptedAnswers = 'application/json, text/event-stream';

/** Largest request body that AgentCore Runtime passes on. */
export const maxPayloadBytes = 100_000_000;
