import type { AgentRuntime } from '@art/protocol';
import type { Clock } from '../clock.ts';
import type { RolloutParts } from '../lifecycle/rollout.ts';
import { resolveLateSessionOptions } from '../lifecycle/session-state/late-session-options.ts';
import { LateSessions } from '../lifecycle/session-state/late-sessions.ts';
import type { RolloutEvent } from '../rollout-event.ts';
import { Semaphore } from '../semaphore.ts';
import { CompletionWatcher } from '../watcher/completion-watcher.ts';
import type { RolloutClientOptions } from './rollout-client-options.ts';
import { storeTroubleReporter } from './store-trouble-reporter.ts';

/** What all rollouts of a client share, made from its options. */
export function rolloutParts(
  options: RolloutClientOptions,
  runtime: AgentRuntime,
  clock: Clock,
  emit: (event: RolloutEvent) => void,
): RolloutParts {
  const { store, storeConcurrency = 64, fetchGiveUpMs = 60_000, stopTimeoutMs = 30_000 } = options;
  const warn = options.onWarning ?? ((message: string): void => process.emitWarning(message, 'ArtWarning'));
  const watcher = new CompletionWatcher({
    store,
    clock,
    lagBoundMs: options.lagBoundMs,
    pushedSweepIntervalMs: options.pushedSweepIntervalMs,
    listCostInHeads: options.listCostInHeads,
    concurrency: storeConcurrency,
    onTrouble: storeTroubleReporter({ emit, warn, epochMs: () => clock.epochMs() }),
  });
  const lateSessions =
    options.lateSessions === false
      ? undefined
      : new LateSessions({ runtime, store, clock, rules: resolveLateSessionOptions(options.lateSessions) });
  const fetchLimit = new Semaphore(storeConcurrency);
  return { runtime, store, watcher, lateSessions, fetchLimit, clock, fetchGiveUpMs, stopTimeoutMs, warn };
}
