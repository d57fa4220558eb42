import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { runtimeHeaders } from '@art/protocol';
import { DataPlane } from './data-plane.ts';
import { monotonicClock, type EndpointClock } from './endpoint-clock.ts';
import type { EndpointReport } from './endpoint-report.ts';
import { noLatency, type EndpointSettings } from './endpoint-settings.ts';
import { noRequests } from './request-counts.ts';
import { RolloutLedger } from './rollout-ledger.ts';
import { StorePlane } from './store-plane.ts';
import { jsonAnswer, type WireAnswer } from './wire-answer.ts';

const unconfigured: EndpointSettings = {
  seed: 0,
  rollouts: 0,
  durations: { kind: 'fixed', ms: 0 },
  latency: noLatency,
};

/**
 * AgentCore's data plane and S3 with agents that only take time. It favours no client: it counts what arrives, and notes
 * when.
 *
 * `POST /_bench/configure` takes `EndpointSettings` and forgets everything before; `GET /_bench/report` gives an
 * `EndpointReport`.
 */
export class LoadEndpoint {
  readonly server: Server;
  readonly #clock: EndpointClock;
  #run: Run;

  constructor(clock: EndpointClock = monotonicClock) {
    this.#clock = clock;
    this.#run = new Run(unconfigured, clock);
    this.server = createServer({ keepAliveTimeout: 600_000, requestTimeout: 0 }, (request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
  }

  configure(settings: EndpointSettings): void {
    this.#run.ledger.close();
    this.#run = new Run(settings, this.#clock);
  }

  report(): EndpointReport {
    return this.#run.report();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '/';
    if (url === '/_bench/configure') {
      this.configure(JSON.parse(await text(request)) as EndpointSettings);
      send(response, jsonAnswer({}));
    } else if (url === '/_bench/report') {
      send(response, jsonAnswer(this.report()));
    } else if (url.startsWith('/runtimes/')) {
      await this.#run.handleRuntimeCall(request, url, response);
    } else {
      this.#run.handleStoreCall(request, url, response);
    }
  }
}

/** One configuration and what came of it. */
class Run {
  readonly ledger: RolloutLedger;
  readonly #settings: EndpointSettings;
  readonly #clock: EndpointClock;
  readonly #counts = noRequests();
  readonly #dataPlane: DataPlane;
  readonly #store: StorePlane;
  #firstInvokeMs: number | undefined;

  constructor(settings: EndpointSettings, clock: EndpointClock) {
    this.#settings = settings;
    this.#clock = clock;
    this.ledger = new RolloutLedger(settings, clock);
    this.#dataPlane = new DataPlane(settings, this.ledger, this.#counts, clock);
    this.#store = new StorePlane(settings, this.ledger, this.#counts);
  }

  async handleRuntimeCall(request: IncomingMessage, url: string, response: ServerResponse): Promise<void> {
    const sessionId = String(request.headers[runtimeHeaders.sessionId]);
    const { latency } = this.#settings;
    const body = await text(request);
    if (!url.includes('/invocations')) {
      const answer = this.#dataPlane.stop(sessionId);
      this.#later(latency.stopMs, () => send(response, answer));
      return;
    }
    this.#firstInvokeMs ??= this.#clock.nowMs();
    const answer = this.#dataPlane.invoke(sessionId, body);
    this.#later(latency.invokeMs, () => send(response, answer()));
  }

  handleStoreCall(request: IncomingMessage, url: string, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, 'http://endpoint');
    const [bucket = '', ...key] = pathname.slice(1).split('/');
    const { answer, latencyMs, onAnswered } = this.#store.reply({
      method: request.method ?? 'GET',
      bucket,
      key: decodeURIComponent(key.join('/')),
      query: searchParams,
    });
    request.resume();
    this.#later(latencyMs + this.#stallLeftMs(), () => {
      send(response, answer);
      onAnswered?.();
    });
  }

  report(): EndpointReport {
    return {
      counts: this.#counts,
      peakLiveSessions: this.ledger.peakLiveSessions,
      liveSessions: this.ledger.liveSessions,
      rollouts: this.ledger.records,
    };
  }

  #stallLeftMs(): number {
    const { storeStall } = this.#settings;
    if (storeStall === undefined || this.#firstInvokeMs === undefined) return 0;
    const sinceMs = this.#clock.nowMs() - this.#firstInvokeMs;
    return sinceMs >= storeStall.fromMs && sinceMs < storeStall.untilMs ? storeStall.untilMs - sinceMs : 0;
  }

  #later(delayMs: number, action: () => void): void {
    if (delayMs <= 0) action();
    else this.#clock.after(delayMs, action);
  }
}

function send(response: ServerResponse, { status, headers, body }: WireAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body ?? '') });
  response.end(body);
}
