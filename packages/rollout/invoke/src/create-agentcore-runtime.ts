import { type OptionRules, readOptions } from '@art/ground';
import { parseAgentRuntimeArn } from '@art/protocol';
import { AgentCoreRuntime } from './agentcore/agentcore-runtime.ts';
import {
  agentCoreRuntimeRules,
  type AgentCoreRuntimeOptions,
} from './agentcore/agentcore-runtime-options.ts';
import { PacedRuntime } from './pacing/paced-runtime.ts';
import { pacedRuntimeRules, type PacedRuntimeOptions } from './pacing/paced-runtime-options.ts';

/** Options of `AgentCoreRuntime` and `PacedRuntime` together. */
export interface CreateAgentCoreRuntimeOptions
  extends AgentCoreRuntimeOptions, Omit<PacedRuntimeOptions, 'newSessionsPerSecond' | 'onClose'> {
  /** Sessions started per second: what `PacedRuntime` calls `newSessionsPerSecond`. @default 25 */
  tpsLimit?: number | undefined;
}

const { newSessionsPerSecond, onClose: _onClose, ...pacingRules } = pacedRuntimeRules;
const rules = {
  ...agentCoreRuntimeRules,
  ...pacingRules,
  tpsLimit: newSessionsPerSecond,
} satisfies OptionRules<CreateAgentCoreRuntimeOptions, 'agentRuntimeArn'>;

/**
 * A runtime on AgentCore, paced and with retries, ready for a rollout client. All runtimes made here for one
 * account and region share their budgets, as the quotas do. Close it at the end.
 * @throws ArtError `ART_INVALID_ARN`, `ART_INVALID_OPTION`
 */
export function createAgentCoreRuntime(options: CreateAgentCoreRuntimeOptions): PacedRuntime {
  readOptions('createAgentCoreRuntime', options, rules);
  const { agentRuntimeArn, qualifier, client, clientOptions, maxConnections, requestTimeoutMs, userId } =
    options;
  const runtime = new AgentCoreRuntime({
    agentRuntimeArn,
    qualifier,
    client,
    clientOptions,
    maxConnections,
    requestTimeoutMs,
    userId,
  });
  const { partition, accountId, region } = parseAgentRuntimeArn(agentRuntimeArn);
  const { tpsLimit, dataPlanePerSecond, maxRetryAttempts, quotaWaitMs, share, onEvent, random } = options;
  return new PacedRuntime(runtime, {
    newSessionsPerSecond: tpsLimit,
    dataPlanePerSecond,
    maxRetryAttempts,
    quotaWaitMs,
    sharedKey: options.sharedKey ?? `${partition}:${accountId}:${region}`,
    share,
    onEvent,
    random,
    onClose: () => runtime.close(),
  });
}
