export { AgentCoreRuntime } from './agentcore/agentcore-runtime.ts';
export type { AgentCoreRuntimeOptions } from './agentcore/agentcore-runtime-options.ts';
export { createAgentCoreRuntime, type CreateAgentCoreRuntimeOptions } from './create-agentcore-runtime.ts';
export { PacedRuntime } from './pacing/paced-runtime.ts';
export type { PacedRuntimeOptions } from './pacing/paced-runtime-options.ts';
export { LocalGrants } from './pacing/local-grants.ts';
export { type GrantSource, paceOf, type Pace } from './pacing/grant-source.ts';
export type { JoinedRateShare, RateShare, RateShareChange } from './pacing/rate-share.ts';
