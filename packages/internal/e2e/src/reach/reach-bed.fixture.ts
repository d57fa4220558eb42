import { join } from 'node:path';
import { createAgentCoreRuntime, RolloutClient, type RolloutGatewayOptions } from '@art/client';
import { type LocalRuntime, type LocalRuntimeOptions, startLocalRuntime } from '@art/local';

/** A client at the local AgentCore, as AWS's SDK signs for it. */
export function reachingClient(
  local: LocalRuntime,
  gateway: RolloutGatewayOptions,
  onWarning?: (message: string) => void,
): RolloutClient {
  return new RolloutClient({
    runtime: (_, onEvent) =>
      createAgentCoreRuntime({
        agentRuntimeArn: local.arnOf('reaching'),
        clientOptions: {
          endpoint: local.endpoint,
          credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
        },
        tpsLimit: 200,
        onEvent,
      }),
    gateway: { reach: 'session', ...gateway },
    onWarning,
  });
}

export function startReachingAgents(options: Partial<LocalRuntimeOptions> = {}): Promise<LocalRuntime> {
  const agent = join(import.meta.dirname, 'reaching-agent.ts');
  return startLocalRuntime({
    agents: { reaching: { command: [process.execPath, '--conditions=@art/source', agent] } },
    stopGraceMs: 2_000,
    ...options,
  });
}
