export { createAgentCoreRuntime, PacedRuntime } from '@art/invoke';
export { ArtError, finalReward, RuntimeError } from '@art/protocol';
export type {
  AgentRuntime,
  ErrorCode,
  ResultDocument,
  RolloutOutcome,
  RolloutOutcomeKind,
} from '@art/protocol';
export { FileJournal, groupAdvantages, listRuns, reduceRewards, stopRun, StoreJournal } from '@art/rollout';
export type { BatchItem, BatchOptions, BatchProgress, RolloutEvent, RolloutFuture } from '@art/rollout';
export type { RolloutGatewayOptions, TrainingRow, Trajectory } from '@art/rollout';
export type { Group, GroupOptions, GroupPolicy, GroupProgress } from '@art/rollout';
export { FileResultStore, MemoryResultStore, registerStoreDriver, type ResultStore } from '@art/store';
export { S3ResultStore } from '@art/store-s3';
export { RolloutClient, type RolloutClientOptions } from './rollout-client.ts';
