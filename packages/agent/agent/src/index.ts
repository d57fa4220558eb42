export { AgentCoreRLApp } from './agentcore-rl-app.ts';
export { ClipReward, ExactMatchReward, GSM8KReward, RewardFunction, WeightedSumReward } from '@art/reward';
export { normalizeReward, type RewardValue, type TextAnswer } from '@art/reward';
export {
  getContext,
  InfrastructureError,
  type AgentCoreRLAppOptions,
  type InvocationHandler,
  type HandlerRollout,
  type RequestContext,
  type RolloutHandler,
} from '@art/server';
export { FileResultStore, MemoryResultStore, registerStoreDriver, type ResultStore } from '@art/store';
