export { AgentCoreRuntime } from './agentcore/agentcore-runtime.ts';
export type { AgentCoreRuntimeOptions } from './agentcore/agentcore-runtime-options.ts';
export { createAgentCoreRuntime, type CreateAgentCoreRuntimeOptions } from './create-agentcore-runtime.ts';
export { PacedRuntime } from './pacing/paced-runtime.ts';
export type { PacedRuntimeOptions } from './pacing/paced-runtime-options.ts';
export type { RedisClient, RedisOptions } from './redis/redis-client.ts';
