import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EngineFlavour } from '../engines/engine-profiles.ts';
import type { ProxyEndpoint } from '../http/proxy-path.ts';
import type { TraceStoreStats } from '../store/trace-store.ts';
import type { CaptureStatus } from '@art/trajectories';

/** One call that is over. */
export interface FinishedCall {
  endpoint: ProxyEndpoint;
  /** What the agent got; 499 where it left before. */
  status: number;
  stream: boolean;
  engine: EngineFlavour | undefined;
  /** From the request's arrival to the end of the reply. */
  totalMs: number;
  /** How much of it the engine took; undefined where none was asked. */
  engineMs: number | undefined;
}

/** What gauges read at the moment they are asked. */
export interface MetricSources {
  storeStats: () => TraceStoreStats;
  callsInFlight: () => number;
  workers: () => { healthy: number; dead: number };
}

const lagResolutionMs = 20;
const secondBuckets = [0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const callBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600];

/** Everything that the Prometheus page shows. Each gateway has its own registry, so several fit into one process. */
export class GatewayMetrics {
  readonly #registry = new Registry();
  readonly #loopDelay: ReturnType<typeof monitorEventLoopDelay>;
  readonly #calls;
  readonly #callSeconds;
  readonly #addedSeconds;
  readonly #tokens;
  readonly #traces;
  readonly #errors;
  readonly #retries;
  readonly #heartbeats;
  readonly #droppedTraces;

  constructor(sources: MetricSources) {
    const registers = [this.#registry];
    this.#calls = new Counter({
      name: 'art_gateway_calls_total',
      help: 'Calls of agents by endpoint, status (499: the agent left), whether streamed, and kind of engine.',
      labelNames: ['endpoint', 'status', 'stream', 'engine'] as const,
      registers,
    });
    this.#callSeconds = new Histogram({
      name: 'art_gateway_call_seconds',
      help: 'Duration of calls, the engine included.',
      labelNames: ['endpoint'] as const,
      buckets: callBuckets,
      registers,
    });
    this.#addedSeconds = new Histogram({
      name: 'art_gateway_added_seconds',
      help: 'What the gateway added to whole (not streamed) calls: their duration without the engine.',
      buckets: secondBuckets,
      registers,
    });
    this.#tokens = new Counter({
      name: 'art_gateway_tokens_total',
      help: 'Captured tokens.',
      labelNames: ['kind'] as const,
      registers,
    });
    this.#traces = new Counter({
      name: 'art_gateway_traces_total',
      help: 'Stored traces by how true their capture is. Only complete ones are fit to train on.',
      labelNames: ['capture'] as const,
      registers,
    });
    this.#errors = new Counter({
      name: 'art_gateway_errors_total',
      help: 'What went wrong, by kind.',
      labelNames: ['kind'] as const,
      registers,
    });
    this.#retries = new Counter({
      name: 'art_gateway_retries_total',
      help: 'Attempts that were made again, by the status of the failed one or how its connection failed.',
      labelNames: ['reason'] as const,
      registers,
    });
    this.#heartbeats = new Counter({
      name: 'art_gateway_heartbeats_total',
      help: 'Signs of life sent on silent calls.',
      registers,
    });
    this.#droppedTraces = new Counter({
      name: 'art_gateway_untraced_calls_total',
      help: 'Calls for deleted sessions: served, and not kept.',
      registers,
    });
    this.#loopDelay = monitorEventLoopDelay({ resolution: lagResolutionMs });
    this.#loopDelay.enable();
    this.#gauges(sources, registers);
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

  traceStored(trace: { capture: CaptureStatus; promptTokens: number; completionTokens: number }): void {
    this.#traces.inc({ capture: trace.capture });
    this.#tokens.inc({ kind: 'prompt' }, trace.promptTokens);
    this.#tokens.inc({ kind: 'completion' }, trace.completionTokens);
  }

  error(kind: string): void {
    this.#errors.inc({ kind });
  }

  retried(reason: string): void {
    this.#retries.inc({ reason });
  }

  heartbeat(): void {
    this.#heartbeats.inc();
  }

  untracedCall(): void {
    this.#droppedTraces.inc();
  }

  close(): void {
    this.#loopDelay.disable();
  }

  #gauges(sources: MetricSources, registers: Registry[]): void {
    const gauge = (name: string, help: string, read: () => number): void => {
      void new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    };
    const stats = sources.storeStats;
    gauge('art_gateway_calls_in_flight', 'Calls under way.', sources.callsInFlight);
    gauge('art_gateway_sessions', 'Sessions in the store.', () => stats().sessions);
    gauge('art_gateway_stored_traces', 'Traces in the store.', () => stats().traces);
    gauge('art_gateway_store_bytes', 'What the traces take.', () => stats().bytes);
    gauge('art_gateway_dropped_traces', 'Late traces of deleted sessions.', () => stats().droppedTraces);
    gauge(
      'art_gateway_evicted_sessions',
      'Sessions that made room for others.',
      () => stats().evictedSessions,
    );
    gauge(
      'art_gateway_expired_sessions',
      'Sessions that outlived their time.',
      () => stats().expiredSessions,
    );
    gauge('art_gateway_workers_healthy', 'Workers that get calls.', () => sources.workers().healthy);
    gauge('art_gateway_workers_dead', 'Workers that get none.', () => sources.workers().dead);
    const lag = this.#loopDelay;
    gauge(
      'art_gateway_event_loop_lag_p50_seconds',
      'Event loop lag since the page was read last, median.',
      () => seconds(lag.percentile(50)),
    );
    gauge(
      'art_gateway_event_loop_lag_p99_seconds',
      'Event loop lag since the page was read last, 99th percentile.',
      () => seconds(lag.percentile(99)),
    );
    gauge(
      'art_gateway_event_loop_lag_max_seconds',
      'Longest event loop lag since the page was read last.',
      () => {
        const longest = seconds(lag.max);
        lag.reset();
        return longest;
      },
    );
  }
}

// What is measured are the times between two ticks of a timer, its own period included.
function seconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - lagResolutionMs / 1e3) : 0;
}
