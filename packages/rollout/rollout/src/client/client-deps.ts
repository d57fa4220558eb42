import { backgroundClock } from '@art/ground';
import type { AgentRuntime, RuntimeEvent } from '@art/protocol';
import { resolveGateway } from '../gateway/gateway-options.ts';
import type { RolloutDeps } from '../lifecycle/rollout-deps.ts';
import { SessionCalls } from '../lifecycle/session-calls.ts';
import { SessionStops } from '../lifecycle/session-stops.ts';
import { EndpointWarning } from '../lifecycle/unreachable-endpoint.ts';
import { ClientEvents } from '../active/client-events.ts';
import { ActiveRollouts } from '../active/active-rollouts.ts';
import { randomRolloutIds } from '../request/rollout-ids.ts';
import { SessionResults } from '../results/session-results.ts';
import { StoredResults } from '../results/stored-results.ts';
import type { WatcherTrouble } from '../watcher/watch-options.ts';
import { Preflight } from './preflight.ts';
import { resultTarget, type RolloutClientOptions } from './rollout-client-options.ts';
import type { RunDeps } from '../run/run-deps.ts';
import type { StopOnSignals } from './stop-on-signals.ts';
import { keepAlive } from './wait-for-rollout.ts';

/** The dependencies that all work of a client shares. */
export interface ClientDeps extends RunDeps {
  preflight: Preflight;
  /** Undefined where signals are none of the client's business. */
  signals: StopOnSignals | undefined;
}

const mostCallsPerSecond = 300;
// The rest is left to starts and stops.
const shareOfDataPlane = 0.5;
// The first failed sweep may be a hiccup; an operator should hear when it lasts.
const failedSweepsToWarn = 5;

/**
 * @param assertReady throws once nothing new is to be begun
 * @throws ArtError `ART_INVALID_OPTION`, `ART_JSON_WRITE`
 */
export function clientDeps(
  options: RolloutClientOptions,
  signals: StopOnSignals | undefined,
  assertReady: () => void,
): ClientDeps {
  const gateway = resolveGateway(options.gateway);
  const { clock = backgroundClock, ids = randomRolloutIds, stopTimeoutMs = 30_000 } = options;
  const { store, checkStore = true, watch, liveness } = options;
  const warn = options.onWarning ?? ((message: string): void => process.emitWarning(message, 'ArtWarning'));
  const events = new ClientEvents();
  const onRuntimeEvent = (event: RuntimeEvent): void => {
    active.note(event);
    events.broadcast(event);
  };
  const ownsRuntime = typeof options.runtime === 'function';
  const runtime = new SessionCalls({ runtime: runtimeOf(options, onRuntimeEvent), clock, ownsRuntime });
  const target = resultTarget(options);
  const results = target && store && { ...target, store };
  const asked = checkStore ? results : undefined;
  const preflight = new Preflight({ runtime, stored: asked, clock, assertReady });
  const endpointWarning = new EndpointWarning(warn);
  const onUnreachable = (told: string): void => endpointWarning.told(told);
  const sessionResults = new SessionResults(
    { runtime, clock, warn, onUnreachable },
    resultCallsPerSecond(options),
  );
  const onTrouble = (trouble: WatcherTrouble): void => report(trouble, { clock, events, warn });
  const storeTrouble = (): Promise<unknown> => preflight.storeTrouble();
  const source =
    results === undefined
      ? sessionResults
      : new StoredResults({
          runtime,
          store: results.store,
          clock,
          watch,
          liveness,
          storeTrouble,
          onTrouble,
          onUnreachable,
        });
  const stops = new SessionStops({ runtime, clock, stopTimeoutMs, warn });
  const emit = endpointWarning.listen(events.emit);
  const deps: RolloutDeps = { runtime, source, stops, clock, emit, warn };
  const active = new ActiveRollouts({ ...options, target }, ids, deps, sessionResults, gateway);
  const { agentRuntimeArn, expId } = options;
  const place = { expId, ...target, agentRuntimeArn };
  const runs: ClientDeps['runs'] = new Set();
  return { ...deps, ids, events, preflight, active, signals, place, runs, hold: () => hold(signals) };
}

/** Keeps the process alive, and stoppable by its signals, until the returned function is called. */
function hold(signals: StopOnSignals | undefined): () => void {
  const sleep = keepAlive();
  const ignoreSignals = signals?.hold();
  return () => {
    ignoreSignals?.();
    sleep();
  };
}

function runtimeOf(options: RolloutClientOptions, onEvent: (event: RuntimeEvent) => void): AgentRuntime {
  const { runtime, agentRuntimeArn, tpsLimit, dataPlanePerSecond } = options;
  if (typeof runtime !== 'function') return runtime;
  const { maxRetryAttempts, maxPoolConnections } = options;
  return runtime(
    { agentRuntimeArn, tpsLimit, dataPlanePerSecond, maxRetryAttempts, maxPoolConnections },
    onEvent,
  );
}

function resultCallsPerSecond({ resultCallsPerSecond, dataPlanePerSecond }: RolloutClientOptions): number {
  const share = shareOfDataPlane * (dataPlanePerSecond ?? Number.POSITIVE_INFINITY);
  return resultCallsPerSecond ?? Math.min(mostCallsPerSecond, share);
}

/** Turns what the watcher says of its store into events, and into one warning when it lasts. */
function report(
  trouble: WatcherTrouble,
  { clock, events, warn }: Pick<ClientDeps, 'clock' | 'events' | 'warn'>,
): void {
  const { failedSweeps } = trouble;
  const atMs = clock.epochMs();
  if (trouble.kind === 'recovered') {
    events.broadcast({ type: 'store_recovered', failedSweeps, atMs });
    return;
  }
  events.broadcast({ type: 'store_trouble', error: trouble.error, failedSweeps, atMs });
  if (failedSweeps === failedSweepsToWarn)
    warn(`The result store has failed ${failedSweeps} times in a row: ${(trouble.error as Error).message}`);
}
