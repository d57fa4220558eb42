import { type AgentRuntime, createAgentCoreRuntime } from '@art/client';
import type { RuntimeEvent } from '@art/protocol';
import { localCredentials } from '../dev/sdk-environment.ts';
import type { InvokeTarget } from '../invoke/invoke-target.ts';

/** AgentCore at AWS, or a local one; with pacing and retries. */
export function createTargetRuntime(
  { agentRuntimeArn, endpoint, credentials }: InvokeTarget,
  qualifier: string | undefined,
  onEvent?: (event: RuntimeEvent) => void,
): AgentRuntime {
  return createAgentCoreRuntime({
    agentRuntimeArn,
    qualifier,
    clientOptions: {
      ...(endpoint !== undefined && { endpoint }),
      ...(credentials === 'local' && { credentials: localCredentials }),
    },
    onEvent,
  });
}
