import {
  type AgentRuntimeArn,
  ArtError,
  checkNumber,
  checkOptionNames,
  describeValue,
  maxPayloadBytes,
  optionNames,
  parseAgentRuntimeArn,
  refuseOption,
} from '@art/protocol';
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

export const agentCoreRuntimeNames = optionNames<AgentCoreRuntimeOptions>({
  agentRuntimeArn: true,
  qualifier: true,
  client: true,
  clientOptions: true,
  maxConnections: true,
  requestTimeoutMs: true,
  userId: true,
});

/** Checked options with every default filled in. */
export interface AgentCoreRuntimeSettings {
  arn: AgentRuntimeArn;
  qualifier: string | undefined;
  client: BedrockAgentCoreClient | undefined;
  clientOptions: BedrockAgentCoreClientConfig;
  maxConnections: number;
  requestTimeoutMs: number;
  userId: string | undefined;
}

// Synchronous requests end after 15 minutes (Bedrock AgentCore developer guide, runtime limits).
const longestRequestMs = 900_000;

/**
 * Checks the options once and fills in the defaults.
 * @throws ArtError `ART_INVALID_ARN`, `ART_INVALID_OPTION`
 */
export function checkAgentCoreRuntimeOptions(options: AgentCoreRuntimeOptions): AgentCoreRuntimeSettings {
  if (typeof options !== 'object' || options === null) refuseOption('options', 'an object', options);
  checkOptionNames('AgentCoreRuntime', options, agentCoreRuntimeNames);
  const {
    qualifier,
    client,
    clientOptions,
    maxConnections = 512,
    requestTimeoutMs = 180_000,
    userId,
  } = options;
  const arn = parseAgentRuntimeArn(options.agentRuntimeArn);
  // Endpoint names as the service's model allows them.
  if (qualifier !== undefined && !/^[a-zA-Z][a-zA-Z0-9_]{0,47}$/.test(qualifier))
    refuseOption('qualifier', 'an endpoint name such as "DEFAULT"', qualifier);
  if (client !== undefined && clientOptions !== undefined)
    refuseOption(
      'clientOptions',
      'nothing when `client` is given; configure that client instead',
      clientOptions,
    );
  if (client !== undefined && typeof (client as { send?: unknown } | null)?.send !== 'function')
    refuseOption('client', 'a BedrockAgentCoreClient', client);
  if (clientOptions !== undefined && (typeof clientOptions !== 'object' || clientOptions === null))
    refuseOption('clientOptions', 'an object', clientOptions);
  if (userId !== undefined && (typeof userId !== 'string' || !/^[\x20-\x7e]{1,1024}$/.test(userId)))
    refuseOption('userId', '1 to 1024 printable ASCII characters', userId);
  checkNumber('maxConnections', maxConnections, { min: 1, max: 65_535, integer: true });
  checkNumber('requestTimeoutMs', requestTimeoutMs, { min: 1, max: longestRequestMs });
  return {
    arn,
    qualifier,
    client,
    clientOptions: clientOptions ?? {},
    maxConnections,
    requestTimeoutMs,
    userId,
  };
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
