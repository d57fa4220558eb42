import { BedrockAgentCoreClient, type BedrockAgentCoreClientConfig } from '@aws-sdk/client-bedrock-agentcore';
import { isLoopback } from '@art/ground';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { AgentCoreRuntimeSettings } from './agentcore-runtime-options.ts';

/**
 * True if calls stay on this machine: the endpoint, given or taken from the environment as the SDK does, is a loopback
 * one.
 */
export function isLocalEndpoint({ endpoint }: BedrockAgentCoreClientConfig): boolean {
  const { AWS_ENDPOINT_URL_BEDROCK_AGENTCORE: own, AWS_ENDPOINT_URL: general } = process.env;
  const url: unknown = endpoint ?? own ?? general;
  return typeof url === 'string' && URL.canParse(url) && isLoopback(new URL(url).hostname);
}

/**
 * The SDK client for one runtime. The endpoint follows the SDK's own rules, so `AWS_ENDPOINT_URL` and
 * `AWS_ENDPOINT_URL_BEDROCK_AGENTCORE` point it at a local runtime.
 */
export function createAgentCoreClient(settings: AgentCoreRuntimeSettings): BedrockAgentCoreClient {
  const pool = { keepAlive: true, maxSockets: settings.maxConnections };
  return new BedrockAgentCoreClient({
    requestHandler: new NodeHttpHandler({
      httpAgent: pool,
      httpsAgent: pool,
      connectionTimeout: 10_000,
      // A full pool is normal here; the SDK would warn about it on the console.
      socketAcquisitionWarningTimeout: settings.requestTimeoutMs,
    }),
    // An endpoint of this machine is used whatever the shell says about AWS's own.
    ...(isLocalEndpoint(settings.clientOptions) && { useFipsEndpoint: false, useDualstackEndpoint: false }),
    ...settings.clientOptions,
    // One that is undefined, of an environment variable that is not set, must not hide that of the ARN.
    region: settings.clientOptions.region ?? settings.agentRuntimeArn.region,
    // Only the caller can tell whether sending again would start an agent twice.
    maxAttempts: 1,
  });
}
