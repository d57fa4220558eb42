import type { FastifyBaseLogger } from 'fastify';
import { detectFlavour, type DetectionGet } from '../engines/detect-flavour.ts';
import { modelSampling, samplingFlags } from '../engines/model-sampling.ts';
import type { Worker } from '../routing/worker.ts';
import type { EngineTransport } from '../engines/engine-transport.ts';
import { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import { NativeRoutes, WorkerFlavours } from '../routing/worker-flavours.ts';
import { KeptAnswers } from '../calls/call/kept-answers.ts';
import { LoopTurns } from '../calls/call/loop-turns.ts';
import type { ResolvedGatewayOptions } from '../options/resolve-gateway-options.ts';
import { HealthChecks, showsHealth } from '../routing/health-checks.ts';
import { WorkerPool } from '../routing/worker-pool.ts';
import { WorkerProbe } from '../routing/worker-probe.ts';
import { CallsInFlight } from '../sessions/calls-in-flight.ts';
import { LiveSessions } from '../sessions/live-sessions.ts';
import { SessionKeys } from '../sessions/session-keys.ts';
import { WeightVersion } from '../sessions/weight-version.ts';
import type { CaptureStore } from '../store/capture-store.ts';
import { MemoryResponseItems } from '../model-wires/chat/memory-response-items.ts';
import type { GatewayServices } from '../calls/call/gateway-services.ts';

const probeTimeoutMs = 3_000;
/** A call waits no longer than this to learn what kind of engine it goes to. */
const flavourWaitMs = 1_000;

/** The parts of a gateway. */
export interface GatewayDeps {
  options: ResolvedGatewayOptions;
  store: CaptureStore;
  engines: EngineTransport;
  log: FastifyBaseLogger;
}

/** Everything that lives as long as the gateway, and the way to stop what runs by itself. */
export interface AssembledGateway {
  services: GatewayServices;
  stop: () => Promise<void>;
}

export function assembleGateway(deps: GatewayDeps): AssembledGateway {
  const { options, store, engines, log } = deps;
  const pool = new WorkerPool(options.flavour);
  const inFlight = new CallsInFlight();
  const probe = new WorkerProbe(options.sign);
  const stopped = new AbortController();
  const flavours = new WorkerFlavours({
    waitMs: flavourWaitMs,
    detect: (worker) => detectFlavour((path) => probe.get(worker.url + path, probeTimeoutMs, stopped.signal)),
  });
  const learnSampling = async (worker: Worker): Promise<void> => {
    const flavour = worker.givenFlavour ?? (await flavours.ask(worker));
    const get: DetectionGet = (path) => probe.get(worker.url + path, probeTimeoutMs, stopped.signal);
    try {
      worker.modelSampling = await modelSampling(get, flavour, process.env);
    } catch {
      // The engine may be starting up: the next check of its health asks again.
      return;
    }
    if (Object.keys(worker.modelSampling).length === 0) return;
    log.warn(
      { worker: worker.url, modelSampling: worker.modelSampling },
      `the model's generation_config.json changes sampling wherever a call says nothing; start the engine with ${samplingFlags[flavour]}`,
    );
  };
  const metrics = new GatewayMetrics({
    storeStats: () => store.stats(),
    callsInFlight: () => inFlight.total,
    workers: () => {
      const healthy = pool.list().filter((worker) => worker.health.kind === 'healthy').length;
      return { healthy, dead: pool.list().length - healthy };
    },
  });
  const health = new HealthChecks({
    intervalMs: options.healthCheckIntervalMs,
    timeoutMs: options.healthCheckTimeoutMs,
    failuresUntilDead: options.healthFailureThreshold,
    workers: () => pool.list(),
    async ask(worker, timeoutMs, signal) {
      const { status } = await probe.get(`${worker.url}/health`, timeoutMs, signal);
      const isHealthy = showsHealth(status, flavours.knownOf(worker));
      if (isHealthy && worker.modelSampling === undefined) void learnSampling(worker);
      return isHealthy;
    },
    changed: (worker) =>
      log.warn({ worker: worker.url, health: worker.health.kind }, 'worker health changed'),
  });
  if (options.engine === undefined) {
    pool.watch({
      added(worker) {
        if (worker.givenFlavour === undefined) void flavours.ask(worker);
        void learnSampling(worker);
        health.start();
      },
      removed(worker) {
        flavours.forget(worker);
        engines.forget?.(worker.url);
      },
    });
    for (const worker of options.workers) pool.add(worker.workerId, worker);
  } else {
    // Nobody needs to ask for its health, nor for its kind.
    pool.add('engine', { url: 'http://engine.invalid', flavour: 'vllm' });
  }
  const sessions = new LiveSessions({ store, onSpent: options.onSpent });
  const weights = new WeightVersion();
  const services: GatewayServices = {
    options,
    pool,
    flavours,
    nativeRoutes: new NativeRoutes(),
    loopTurns: new LoopTurns(),
    store,
    sessions,
    keys: new SessionKeys(options.auth.keySecret),
    weights,
    keptAnswers: options.answers && new KeptAnswers(options.answers, weights),
    inFlight,
    metrics,
    log,
    engines,
    responseItems: new MemoryResponseItems(),
  };
  const stop = async (): Promise<void> => {
    health.stop();
    stopped.abort();
    metrics.close();
    await probe.close();
  };
  return { services, stop };
}
