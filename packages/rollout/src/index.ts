export type { AdaptiveConcurrency } from './pool/adaptive-limit.ts';
export type { BatchItem } from './batch/batch-item.ts';
export type { LosingAttempt } from './pool/attempt.ts';
export type { BatchOptions, PayloadSource } from './batch/batch-options.ts';
export type { BatchProgress } from './pool/batch-progress.ts';
export type { RetriableOutcomeKind, RetryPolicy } from './pool/retry-policy.ts';
export { AgentSession, type SessionInvokeOptions } from './client/agent-session.ts';
export type { DroppedEvents, EventsOptions } from './live/event-stream.ts';
export type { InvokeOptions, ResumeGroupsOptions, ResumeOptions } from './client/call-options.ts';
export { RolloutClient } from './client/rollout-client.ts';
export type {
  RolloutClientOptions,
  RuntimeFactory,
  RuntimeSettings,
} from './client/rollout-client-options.ts';
export type { RolloutFuture, WaitOptions } from './client/rollout-future.ts';
export type { Clock } from '@art/async';
export type { RolloutGatewayOptions, TrajectoryGateway } from './gateway/gateway-options.ts';
export type { TrainingRow } from '@art/trajectories';
export type { CaptureSummary, Trajectory } from './gateway/trajectory.ts';
export { groupAdvantages, type AdvantageOptions } from './groups/group-advantages.ts';
export type { GroupOptions, GroupProgress, InputSource, MemberPlace } from './groups/group-options.ts';
export type { AgentErrorPolicy, FailurePolicy, GroupPolicy, LatePolicy } from './groups/group-policy.ts';
export type {
  DroppedMember,
  Group,
  GroupKind,
  GroupMember,
  GroupRows,
  KeptMember,
  MaskedMember,
  MemberAttempt,
  MemberWithoutRows,
  SurplusMember,
} from './groups/group.ts';
export type { FailureCause } from './groups/judge-outcome.ts';
export { reduceRewards, type RewardRule } from './groups/reduce-rewards.ts';
export type { LivenessOptions } from './sessions/liveness-options.ts';
export { stopRun, type StopRunOptions, type StopRunReport } from './recording/stop-run.ts';
export type { AcknowledgeMode, RunOptions } from './pool/run-options.ts';
export type { RolloutState, RolloutTimings } from './lifecycle/rollout-state.ts';
export type { RolloutEvent } from './lifecycle/rollout-event.ts';
export { randomRolloutIds, type RolloutIds } from './request/rollout-ids.ts';
export type { Payload, RolloutChoices, RolloutOverrides } from './request/rollout-request.ts';
export type { CompletionWatcherOptions, WatcherTrouble, WatchOptions } from './watcher/watch-options.ts';
export { CompletionWatcher } from './watcher/completion-watcher.ts';
