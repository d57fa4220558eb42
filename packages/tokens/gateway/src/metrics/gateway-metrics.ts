import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EngineFlavour } from '../engines/engine-profiles.ts';
import type { ProxyEndpoint } from '../http/proxy-path.ts';
import type { CaptureStoreStats } from '../store/capture-store.ts';
import type { CaptureStatus } from '@art/trajectories';

/** One call that is over. */
export interface FinishedCall {
  endpoint: ProxyEndpoint;
  /** Status that the agent got; 499 where it left before. */
  status: number;
  stream: boolean;
  engine: EngineFlavour | undefined;
  /** From the request's arrival to the end of the reply. */
  totalMs: number;
  /** How much of it the engine took; undefined where none was asked. */
  engineMs: number | undefined;
}

/** Sources that gauges read when they are asked. */
export interface MetricSources {
  storeStats: () => CaptureStoreStats;
  callsInFlight: () => number;
  workers: () => { healthy: number; dead: number };
}

const lagResolutionMs = 20;
const secondBuckets = [0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const callBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600];

/** Everything that the Prometheus page shows. Each gateway has its own registry, so several fit into one process. */
export class GatewayMetrics {
  readonly #registry = new Registry();
  readonly #loopDelay = monitorEventLoopDelay({ resolution: lagResolutionMs });
  readonly #calls = this.#counter(
    'calls_total',
    'Calls of agents by endpoint, status (499: the agent left), whether streamed, and kind of engine.',
    ['endpoint', 'status', 'stream', 'engine'],
  );
  readonly #callSeconds = new Histogram({
    name: 'art_gateway_call_seconds',
    help: 'Duration of calls, the engine included.',
    labelNames: ['endpoint'] as const,
    buckets: callBuckets,
    registers: [this.#registry],
  });
  readonly #addedSeconds = new Histogram({
    name: 'art_gateway_added_seconds',
    help: 'What the gateway added to whole (not streamed) calls: their duration without the engine.',
    buckets: secondBuckets,
    registers: [this.#registry],
  });
  readonly #tokens = this.#counter('tokens_total', 'Captured tokens.', ['kind']);
  readonly #captures = this.#counter(
    'captures_total',
    'Stored captures by their status. Only complete ones are fit to train on.',
    ['status'],
  );
  readonly #errors = this.#counter('errors_total', 'What went wrong, by kind.', ['kind']);
  readonly #retries = this.#counter(
    'retries_total',
    'Attempts that were made again, by the status of the failed one or how its connection failed.',
    ['reason'],
  );
  readonly #continuedTurns = this.#counter(
    'continued_turns_total',
    'Calls that go on from an earlier turn: continued by its tokens, ignored by an engine that rendered the prompt all the same, or rendered where no tokens could be put behind it.',
    ['outcome'],
  );
  readonly #heartbeats = this.#counter('heartbeats_total', 'Signs of life sent on silent calls.');
  readonly #contextFull = this.#counter(
    'context_full_total',
    'Calls whose prompt left no room for an answer.',
  );
  readonly #uncapturedCalls = this.#counter(
    'uncaptured_calls_total',
    'Calls for deleted sessions: served, and not kept.',
  );

  constructor(sources: MetricSources) {
    this.#loopDelay.enable();
    this.#gauges(sources);
  }

  /** Content type and text of the page. */
  async page(): Promise<{ contentType: string; text: string }> {
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  callFinished(call: FinishedCall): void {
    const { endpoint, totalMs, engineMs } = call;
    this.#calls.inc({
      endpoint,
      status: String(call.status),
      stream: String(call.stream),
      engine: call.engine ?? 'none',
    });
    this.#callSeconds.observe({ endpoint }, totalMs / 1_000);
    if (engineMs !== undefined && !call.stream) this.#addedSeconds.observe((totalMs - engineMs) / 1_000);
  }

  captureStored(capture: { status: CaptureStatus; promptTokens: number; completionTokens: number }): void {
    this.#captures.inc({ status: capture.status });
    this.#tokens.inc({ kind: 'prompt' }, capture.promptTokens);
    this.#tokens.inc({ kind: 'completion' }, capture.completionTokens);
  }

  error(kind: string): void {
    this.#errors.inc({ kind });
  }

  retried(reason: string): void {
    this.#retries.inc({ reason });
  }

  turnContinued(outcome: 'continued' | 'ignored' | 'rendered'): void {
    this.#continuedTurns.inc({ outcome });
  }

  heartbeat(): void {
    this.#heartbeats.inc();
  }

  contextFull(): void {
    this.#contextFull.inc();
  }

  uncapturedCall(): void {
    this.#uncapturedCalls.inc();
  }

  close(): void {
    this.#loopDelay.disable();
  }

  #counter<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Counter<Label> {
    return new Counter({ name: `art_gateway_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #gauges({ storeStats, callsInFlight, workers }: MetricSources): void {
    const gauge = (name: string, help: string, read: () => number): void => {
      void new Gauge({
        name: `art_gateway_${name}`,
        help,
        registers: [this.#registry],
        collect() {
          this.set(read());
        },
      });
    };
    gauge('calls_in_flight', 'Calls under way.', callsInFlight);
    gauge('sessions', 'Sessions in the store.', () => storeStats().sessions);
    gauge('stored_captures', 'Captures in the store.', () => storeStats().captures);
    gauge('store_bytes', 'What the captures take.', () => storeStats().bytes);
    gauge('dropped_captures', 'Late captures of deleted sessions.', () => storeStats().droppedCaptures);
    gauge('evicted_sessions', 'Sessions that made room for others.', () => storeStats().evictedSessions);
    gauge('expired_sessions', 'Sessions that outlived their time.', () => storeStats().expiredSessions);
    gauge('workers_healthy', 'Workers that get calls.', () => workers().healthy);
    gauge('workers_dead', 'Workers that get none.', () => workers().dead);
    const lag = this.#loopDelay;
    const since = 'Event loop lag since the page was read last';
    gauge('event_loop_lag_p50_seconds', `${since}, median.`, () => seconds(lag.percentile(50)));
    gauge('event_loop_lag_p99_seconds', `${since}, 99th percentile.`, () => seconds(lag.percentile(99)));
    gauge('event_loop_lag_max_seconds', 'Longest event loop lag since the page was read last.', () => {
      const longest = seconds(lag.max);
      lag.reset();
      return longest;
    });
  }
}

// What is measured are the times between two ticks of a timer, its own period included.
function seconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - lagResolutionMs / 1e3) : 0;
}
