import { parseAgentRuntimeArn } from '@art/protocol';
import { AgentCoreRuntime } from './agentcore/agentcore-runtime.ts';
import type { AgentCoreRuntimeOptions } from './agentcore/agentcore-runtime-options.ts';
import { PacedRuntime } from './pacing/paced-runtime.ts';
import type { PacedRuntimeOptions } from './pacing/paced-runtime-options.ts';

/** Options of `AgentCoreRuntime` and `PacedRuntime` together. */
export interface CreateAgentCoreRuntimeOptions
  extends AgentCoreRuntimeOptions, Omit<PacedRuntimeOptions, 'newSessionsPerSecond' | 'onClose'> {
  /** Sessions started per second: what `PacedRuntime` calls `newSessionsPerSecond`. @default 25 */
  tpsLimit?: number | undefined;
}

/**
 * A runtime on AgentCore, paced and with retries, ready for a rollout client. All runtimes made here for one
 * account and region share their budgets, as the quotas do. Close it at the end.
 * @throws ArtError `ART_INVALID_ARN`, `ART_INVALID_OPTION`
 */
export function createAgentCoreRuntime(options: CreateAgentCoreRuntimeOptions): PacedRuntime {
  const runtime = new AgentCoreRuntime(options);
  const { partition, accountId, region } = parseAgentRuntimeArn(options.agentRuntimeArn);
  return new PacedRuntime(runtime, {
    ...options,
    newSessionsPerSecond: options.tpsLimit,
    sharedKey: options.sharedKey ?? `${partition}:${accountId}:${region}`,
    onClose: () => runtime.close(),
  });
}
