export type { AdaptiveConcurrency } from './batch/adaptive-limit.ts';
export type { BatchItem } from './batch/batch-item.ts';
export type { BatchOptions, Payload, PayloadSource } from './batch/batch-options.ts';
export type { BatchProgress } from './batch/batch-progress.ts';
export type { RolloutChoices } from './client/rollout-choices.ts';
export type { DroppedEvents } from './client/event-stream.ts';
export { RolloutClient, type EventsOptions, type InvokeOptions } from './client/rollout-client.ts';
export type {
  RolloutClientOptions,
  RuntimeFactory,
  RuntimeSettings,
} from './client/rollout-client-options.ts';
export type { RolloutFuture, WaitOptions } from './client/rollout-future.ts';
export { systemClock, type Clock } from './clock.ts';
export type { RolloutState } from './lifecycle/rollout-state.ts';
export type { RolloutTimings } from './lifecycle/rollout-timings.ts';
export type { RolloutEvent } from './rollout-event.ts';
export { randomRolloutIds, type RolloutIds } from './rollout-ids.ts';
export type { RolloutOverrides } from './rollout-request.ts';
export {
  CompletionWatcher,
  type CompletionWatcherOptions,
  type WatcherTrouble,
} from './watcher/completion-watcher.ts';
