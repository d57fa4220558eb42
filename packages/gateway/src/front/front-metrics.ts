import { monitorEventLoopDelay } from 'node:perf_hooks';
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];

const lagResolutionMs = 20;

/** The Prometheus page of several processes: what they count, added up, and what the front sees itself. */
export class FrontMetrics {
  readonly #registry = new Registry();
  readonly #loopDelay = monitorEventLoopDelay({ resolution: lagResolutionMs });
  readonly #restarts;

  /** @param processesUp how many gateway processes take calls */
  constructor(processesUp: () => number) {
    const registers = [this.#registry];
    this.#restarts = new Counter({
      name: 'art_gateway_process_restarts_total',
      help: 'Gateway processes that ended and were started again.',
      registers,
    });
    void new Gauge({
      name: 'art_gateway_processes_up',
      help: 'Gateway processes that take calls.',
      registers,
      collect() {
        this.set(processesUp());
      },
    });
    const delay = this.#loopDelay;
    delay.enable();
    void new Gauge({
      name: 'art_gateway_front_event_loop_lag_p99_seconds',
      help: 'Event loop lag of the front since the start, 99th percentile.',
      registers,
      collect() {
        const measured = delay.percentile(99) / 1e9 - lagResolutionMs / 1e3;
        this.set(Number.isFinite(measured) ? Math.max(0, measured) : 0);
      },
    });
  }

  restarted(): void {
    this.#restarts.inc();
  }

  /** Content type and text of the page. */
  async page(ofProcesses: readonly MetricValues[]): Promise<{ contentType: string; text: string }> {
    const own = await this.#registry.getMetricsAsJSON();
    const all = AggregatorRegistry.aggregate([...ofProcesses, own]);
    return { contentType: all.contentType, text: await all.metrics() };
  }

  close(): void {
    this.#loopDelay.disable();
  }
}
