export type { BatchItem } from './batch/batch-item.ts';
export type { BatchOptions, PayloadSource } from './batch/batch-options.ts';
export { AgentSession, type SessionInvokeOptions } from './client/agent-session.ts';
export type { DroppedEvents, EventsOptions } from './active/event-stream.ts';
export type { InvokeOptions, ResumeGroupsOptions, ResumeOptions } from './client/call-options.ts';
export { RolloutClient } from './client/rollout-client.ts';
export type {
  RolloutClientOptions,
  RuntimeFactory,
  RuntimeSettings,
} from './client/rollout-client-options.ts';
export type { RolloutFuture, WaitOptions } from './client/rollout-future.ts';
export type { Clock } from '@art/ground';
export { isGatewayOutage } from './gateway/gateway-sessions.ts';
export type { RolloutGatewayOptions, TrajectoryGateway } from './gateway/gateway-options.ts';
export { RunBudget, type RunBudgetInit } from './gateway/run-budget.ts';
export type { TrainingRow } from '@art/trajectories';
export type { CaptureSummary, RolloutTrajectory } from './gateway/rollout-trajectory.ts';
export { groupAdvantages, type AdvantageOptions } from './groups/group-advantages.ts';
export { turnAdvantages } from './groups/turn-advantages.ts';
export type { GroupOptions, HedgeOptions, InputSource } from './groups/group-options.ts';
export type {
  DroppedMember,
  Group,
  GroupKind,
  GroupMember,
  GroupRows,
  KeptMember,
  MaskedMember,
  MemberWithoutRows,
  SurplusMember,
} from './groups/group.ts';
export type { ActiveAttempt, Attempt, AttemptPlace } from './items/attempt.ts';
export type {
  Fallback,
  FallbackPolicy,
  FailureCause,
  GroupRetryPolicy,
  RetriableOutcomeKind,
  RetryPolicy,
} from './items/failure-policy.ts';
export { formatProgress, type RunPace, type RunProgress } from './run/run-progress.ts';
export type { RunHandle } from './run/run.ts';
export { reduceRewards, type RewardRule } from './groups/reduce-rewards.ts';
export type { LivenessOptions } from './sessions/liveness-options.ts';
export { capturedRollouts, type ReadCaptures } from './records/captured-rollouts.ts';
export { errorRecord } from './records/error-record.ts';
export { groupRecord } from './records/group-record.ts';
export { outcomeRecord, rolloutRecord } from './records/rollout-record.ts';
export { stopRun, type StopRunOptions, type StopRunReport } from './recording/stop-run.ts';
export type { AcknowledgeMode, RunOptions } from './run/run-options.ts';
export type { RolloutState, RolloutTimings } from './lifecycle/rollout-state.ts';
export type { RolloutEvent } from './lifecycle/rollout-event.ts';
export { randomRolloutIds, type RolloutIds } from './request/rollout-ids.ts';
export type { Payload, RolloutChoices, RolloutOverrides } from './request/rollout-request.ts';
export type { CompletionWatcherOptions, WatcherTrouble, WatchOptions } from './watcher/watch-options.ts';
export { CompletionWatcher } from './watcher/completion-watcher.ts';
