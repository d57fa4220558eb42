export { AgentCoreRuntime } from './agentcore/agentcore-runtime.ts';
export type { AgentCoreRuntimeOptions } from './agentcore/agentcore-runtime-options.ts';
export { createAgentCoreRuntime, type CreateAgentCoreRuntimeOptions } from './create-agentcore-runtime.ts';
export { PacedRuntime } from './pacing/paced-runtime.ts';
export type { PacedRuntimeOptions } from './pacing/paced-runtime-options.ts';
export type { GrantSource } from './pacing/grant-source.ts';
export { LocalGrants } from './pacing/local-grants.ts';
export { paceOf, type Pace } from './pacing/pace.ts';
export type { JoinedRateShare, RateShare, RateShareChange } from './pacing/rate-share.ts';
