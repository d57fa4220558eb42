import { type Clock, Semaphore } from '@art/async';
import type { AgentRuntime, RuntimeEvent } from '@art/protocol';
import { SessionStops } from '../lifecycle/session-stops.ts';
import { SessionResults } from '../results/session-results.ts';
import { StoredResults } from '../results/stored-results.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import { resolveLivenessOptions } from '../sessions/liveness-options.ts';
import { CompletionWatcher } from '../watcher/completion-watcher.ts';
import type { LiveRolloutParts } from '../live/live-rollouts.ts';
import { resultTarget, type RolloutClientOptions, type RuntimeFactory } from './rollout-client-options.ts';
import { resolveWatchOptions, type WatcherTrouble } from '../watcher/watch-options.ts';

const mostCallsPerSecond = 300;
// The rest is left to starts and stops.
const shareOfDataPlane = 0.5;
// The first failed sweep may be a hiccup; an operator should hear when it lasts.
const failedSweepsToWarn = 5;

/** The runtime of a client that was given how to make it. */
export function makeRuntime(
  options: RolloutClientOptions,
  make: RuntimeFactory,
  onEvent: (event: RuntimeEvent) => void,
): AgentRuntime {
  const { agentRuntimeArn, tpsLimit, dataPlanePerSecond, maxRetryAttempts, maxPoolConnections } = options;
  const settings = { agentRuntimeArn, tpsLimit, dataPlanePerSecond, maxRetryAttempts, maxPoolConnections };
  return make(settings, onEvent);
}

/** What all rollouts of a client share, made from its options. */
export function rolloutParts(
  options: RolloutClientOptions,
  runtime: AgentRuntime,
  clock: Clock,
  emit: (event: RolloutEvent) => void,
  storeTrouble: (() => Promise<unknown>) | undefined,
): LiveRolloutParts {
  const { stopTimeoutMs = 30_000, dataPlanePerSecond = Number.POSITIVE_INFINITY } = options;
  const warn = options.onWarning ?? ((message: string): void => process.emitWarning(message, 'ArtWarning'));
  const stops = new SessionStops({ runtime, clock, stopTimeoutMs, warn });
  const callsPerSecond =
    options.resultCallsPerSecond ?? Math.min(mostCallsPerSecond, shareOfDataPlane * dataPlanePerSecond);
  const sessionResults = new SessionResults({ runtime, clock, callsPerSecond, warn });
  const onTrouble = (trouble: WatcherTrouble): void => report(trouble, clock.epochMs(), emit, warn);
  const source =
    resultTarget(options) === undefined
      ? sessionResults
      : storedResults(options, { runtime, clock, onTrouble, storeTrouble });
  return { runtime, source, sessionResults, clock, stops, warn };
}

interface StoreParts {
  runtime: AgentRuntime;
  clock: Clock;
  onTrouble: (trouble: WatcherTrouble) => void;
  storeTrouble: (() => Promise<unknown>) | undefined;
}

function storedResults(
  options: RolloutClientOptions,
  { runtime, clock, onTrouble, storeTrouble }: StoreParts,
): StoredResults {
  const { store } = options;
  if (store === undefined) throw new Error('unreachable: checked with the options');
  const { fetchGiveUpMs, ...watch } = resolveWatchOptions(options.watch);
  const watcher = new CompletionWatcher({ ...watch, store, clock, onTrouble });
  const liveness = options.liveness === false ? undefined : resolveLivenessOptions(options.liveness, runtime);
  const fetchLimit = new Semaphore(watch.concurrency);
  return new StoredResults({
    runtime,
    store,
    watcher,
    liveness,
    storeTrouble,
    fetchLimit,
    clock,
    fetchGiveUpMs,
  });
}

/** Turns what the watcher says of its store into events, and into one warning when it lasts. */
function report(
  trouble: WatcherTrouble,
  atMs: number,
  emit: (event: RolloutEvent) => void,
  warn: (message: string) => void,
): void {
  const { failedSweeps } = trouble;
  if (trouble.kind === 'recovered') {
    emit({ type: 'store_recovered', failedSweeps, atMs });
    return;
  }
  emit({ type: 'store_trouble', error: trouble.error, failedSweeps, atMs });
  if (failedSweeps === failedSweepsToWarn)
    warn(`The result store has failed ${failedSweeps} times in a row: ${(trouble.error as Error).message}`);
}
