import { GatewayClient } from '@art/gateway-client';
import type { RolloutGatewayOptions } from '@art/rollout';
import type { CliContext } from '../cli-context.ts';

/**
 * The gateway that runs already, as rollouts use it, when it has answered; undefined where none was named.
 * @throws GatewayError where it does not answer
 */
export async function namedGateway(
  {
    gateway: url,
    agentGateway: agentUrl,
    reach,
  }: { gateway?: string | undefined; agentGateway?: string | undefined; reach?: 'session' | undefined },
  { env }: Pick<CliContext, 'env'>,
): Promise<RolloutGatewayOptions | undefined> {
  if (url === undefined) return undefined;
  const adminToken = env['ART_GATEWAY_ADMIN_TOKEN'];
  await new GatewayClient({ url, adminToken }).health();
  return { url, adminToken, agentUrl, reach };
}
