import {
  aNumber,
  anyObject,
  ArtError,
  describeValue,
  matching,
  optional,
  type OptionRules,
  type ReadOptions,
  readOptions,
  refuseOption,
  withMethod,
} from '@art/ground';
import { maxPayloadBytes, parseAgentRuntimeArn } from '@art/protocol';
import type { BedrockAgentCoreClient, BedrockAgentCoreClientConfig } from '@aws-sdk/client-bedrock-agentcore';

/** How an `AgentCoreRuntime` reaches its runtime. */
export interface AgentCoreRuntimeOptions {
  /** ARN of the runtime, `arn:aws:bedrock-agentcore:REGION:ACCOUNT:runtime/ID`. The region is taken from it. */
  agentRuntimeArn: string;
  /** Endpoint of the runtime to call. @default the service's own default, `DEFAULT` */
  qualifier?: string | undefined;
  /**
   * A ready SDK client. It is used as it is and not destroyed by `close()`; its own retries should be off
   * (`maxAttempts: 1`), or a call that timed out may start its agent twice.
   */
  client?: BedrockAgentCoreClient | undefined;
  /**
   * Configuration for the client that is created at the first call: credentials, endpoint, logger ...
   * `region` (from the ARN), `maxAttempts` (1) and the connection pool are supplied; a `requestHandler` replaces the pool.
   */
  clientOptions?: BedrockAgentCoreClientConfig | undefined;
  /** Sockets to the service at one time. The SDK's own default of 50 starves a batch. @default 512 */
  maxConnections?: number | undefined;
  /**
   * Longest wait for one answer, connecting and reading included. A rollout agent answers at once, but its
   * session may take up to 120 s to start. At most 900,000, the service's own limit; a stop gets no more than
   * 10_000. @default 180_000
   */
  requestTimeoutMs?: number | undefined;
  /**
   * Sent as `X-Amzn-Bedrock-AgentCore-Runtime-User-Id`. Needs the permission
   * `bedrock-agentcore:InvokeAgentRuntimeForUser`; never take it from untrusted input.
   */
  userId?: string | undefined;
}

// Synchronous requests end after 15 minutes (Bedrock AgentCore developer guide, runtime limits).
const longestRequestMs = 900_000;

export const agentCoreRuntimeRules = {
  agentRuntimeArn: parseAgentRuntimeArn,
  // Endpoint names as the service's model allows them.
  qualifier: optional(matching('an endpoint name such as "DEFAULT"', /^[a-zA-Z][a-zA-Z0-9_]{0,47}$/)),
  client: optional(withMethod('a BedrockAgentCoreClient', 'send')),
  clientOptions: optional<BedrockAgentCoreClientConfig, BedrockAgentCoreClientConfig>(anyObject(), {}),
  maxConnections: optional(aNumber({ min: 1, max: 65_535, integer: true }), 512),
  requestTimeoutMs: optional(aNumber({ min: 1, max: longestRequestMs }), 180_000),
  userId: optional(matching('1 to 1024 printable ASCII characters', /^[\x20-\x7e]{1,1024}$/)),
} satisfies OptionRules<AgentCoreRuntimeOptions, 'agentRuntimeArn'>;

export type AgentCoreRuntimeSettings = ReadOptions<typeof agentCoreRuntimeRules>;

/**
 * Checks the options once and fills in the defaults.
 * @throws ArtError `ART_INVALID_ARN`, `ART_INVALID_OPTION`
 */
export function readAgentCoreRuntimeOptions(options: AgentCoreRuntimeOptions): AgentCoreRuntimeSettings {
  const settings = readOptions('AgentCoreRuntime', options, agentCoreRuntimeRules);
  if (options.client !== undefined && options.clientOptions !== undefined)
    refuseOption(
      'clientOptions',
      'nothing when `client` is given; configure that client instead',
      options.clientOptions,
    );
  return settings;
}

/** @throws ArtError `ART_INVALID_PAYLOAD` for a body that the service would refuse. */
export function checkRequestBody(body: unknown): Uint8Array {
  if (typeof body !== 'string')
    throw new ArtError({
      code: 'ART_INVALID_PAYLOAD',
      message: `Expected the request body to be JSON text, got ${describeValue(body)}.`,
    });
  const bytes = new TextEncoder().encode(body);
  if (bytes.byteLength > maxPayloadBytes)
    throw new ArtError({
      code: 'ART_INVALID_PAYLOAD',
      message: `Expected a request body of at most ${maxPayloadBytes} bytes, got ${bytes.byteLength}. Send a reference to the data instead.`,
    });
  return bytes;
}
