export { createAgentCoreRuntime, PacedRuntime } from '@art/invoke';
export { FileJournal, listRuns, StoreJournal } from '@art/journal';
export type {
  FileJournalOptions,
  JournalChoice,
  RolloutJournal,
  RunSummary,
  StoreJournalOptions,
} from '@art/journal';
export { ArtError } from '@art/ground';
export { finalReward, RuntimeError } from '@art/protocol';
export type {
  AgentRuntime,
  ResultDocument,
  RewardProblem,
  RolloutOutcome,
  RolloutOutcomeKind,
} from '@art/protocol';
export type { ErrorCode } from '@art/ground';
export {
  AgentSession,
  formatProgress,
  groupAdvantages,
  groupRecord,
  outcomeRecord,
  reduceRewards,
  rolloutRecord,
  stopRun,
} from '@art/rollout';
export type {
  ActiveAttempt,
  Attempt,
  AttemptPlace,
  BatchItem,
  BatchOptions,
  Payload,
  PayloadSource,
  RetryPolicy,
  RunHandle,
  RunProgress,
} from '@art/rollout';
export type {
  DroppedEvents,
  EventsOptions,
  InvokeOptions,
  ResumeGroupsOptions,
  ResumeOptions,
  RolloutChoices,
  RolloutEvent,
  RolloutFuture,
  RolloutOverrides,
  RolloutTimings,
  SessionInvokeOptions,
  StopRunReport,
  WaitOptions,
} from '@art/rollout';
export type {
  AdvantageOptions,
  FallbackPolicy,
  Group,
  GroupKind,
  GroupMember,
  GroupOptions,
  GroupRetryPolicy,
  GroupRows,
  HedgeOptions,
  InputSource,
  RewardRule,
} from '@art/rollout';
export type {
  LivenessOptions,
  RolloutGatewayOptions,
  TrainingRow,
  RolloutTrajectory,
  WatchOptions,
} from '@art/rollout';
export { FileResultStore, MemoryResultStore, registerStoreDriver, type ResultStore } from '@art/store';
export { S3ResultStore } from '@art/store-s3';
export { RolloutClient, type RolloutClientOptions } from './rollout-client.ts';
