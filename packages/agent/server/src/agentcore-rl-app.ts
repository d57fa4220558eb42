import type { AddressInfo } from 'node:net';
import { ArtError, mixIntoDraws } from '@art/ground';
import { type PingStatus } from '@art/protocol';
import { checkResultStoreVariable } from '@art/store';
import type { FastifyInstance, FastifyRequest, InjectOptions, LightMyRequestResponse } from 'fastify';
import { type AgentCoreRLAppOptions, checkAppOptions, invocationPathOf } from './app-options.ts';
import { createHttpServer } from './http/create-http-server.ts';
import { replyWithError } from './http/error-reply.ts';
import { serveWarmup, type WarmupHandler } from './http/warmup-route.ts';
import { serveWebSocket, type WebSocketHandler } from './http/websocket-route.ts';
import { type DispatchTargets, dispatchInvocation } from './dispatch/dispatch-invocation.ts';
import type { InvocationProcess, RolloutProcess } from './handler/handlers.ts';
import { OpenInvocations } from './dispatch/answer-invocation.ts';
import { namedSessionIdOf } from './request/create-request-context.ts';
import { prepareHandler } from './handler/prepared-handler.ts';
import { endBeforeStart, listenAddress, type ListenOptions } from './lifecycle/listen-address.ts';
import { openListener } from './lifecycle/open-listener.ts';
import { ownProcess } from './lifecycle/own-process.ts';
import { Redaction } from './logging/redaction.ts';
import { type PingHandler, PingStatusDecision } from './ping/ping-status.ts';
import type { PingDoor, PingThread } from './ping/ping-thread.ts';
import { InvocationRecords } from './rip/invocation-records.ts';
import { Invocations } from './rip/invocations.ts';
import { ReachTunnels } from './reach/reach-tunnels.ts';
import { installFreshDraws } from './snapshot-safe/install-fresh-draws.ts';
import { storeOpener } from './saving/store-opener.ts';
import { RolloutRuns } from './rollout/rollout-runs.ts';
import type { RequestSchema } from './handler/request-schema.ts';
import { WireRollouts } from './wire/start-wire-rollout.ts';
import { type AsyncTaskInfo, AsyncTasks } from './ping/async-tasks.ts';

const closeLimitMs = 8_000;
// For the server itself to close, and for what is left to be logged.
const spareMs = 500;

/**
 * The server inside an agent container: `POST /invocations`, `GET /ping` and, with a handler, `/ws`, as AgentCore Runtime
 * wants them. Rollouts are answered at once and run in the background; the session reports `HealthyBusy` until their
 * results are stored. The constructor takes what AWS's `BedrockAgentCoreApp` takes, and `rolloutHandler`.
 */
export class AgentCoreRLApp<
  R extends RequestSchema | undefined = undefined,
  I extends RequestSchema | undefined = undefined,
> {
  /** The HTTP server, for plugins and routes of your own; add them before the app listens. */
  readonly fastify: FastifyInstance;
  readonly #targets: DispatchTargets;
  readonly #records: InvocationRecords;
  readonly #graceMs: number;
  readonly #pingThread: PingThread | undefined;
  /** True if results go to the store that `ART_RESULT_STORE` names. */
  readonly #opensNamedStore: boolean;
  #door: PingDoor | undefined;
  #websocketHandler: WebSocketHandler | undefined;
  #warmupHandler: WarmupHandler | undefined;
  #closing: Promise<void> | undefined;
  #hasSession = false;
  readonly #isSnapshotSafe: boolean;
  #disownProcess: (() => void) | undefined;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: AgentCoreRLAppOptions<R, I> = {}) {
    checkAppOptions(options);
    const redaction = new Redaction(options.redact);
    this.fastify = createHttpServer(options.config ?? {}, redaction, () => this.#address);
    this.#graceMs = options.terminationGraceMs ?? 3_000;
    this.#pingThread = options.pingThread?.();
    this.#isSnapshotSafe = options.snapshotSafe ?? true;
    this.#opensNamedStore = options.resultStore === undefined;
    const tasks = new AsyncTasks();
    const ping = new PingStatusDecision(tasks, {
      board: this.#pingThread?.board,
      warn: (message, error) => this.fastify.log.warn({ err: error }, message),
    });
    if (options.pingHandler !== undefined) ping.setHandler(options.pingHandler);
    this.#websocketHandler = options.websocketHandler;
    this.#warmupHandler = options.warmupHandler;
    this.#records = new InvocationRecords(options.stateDir);
    const runs = new RolloutRuns(tasks, options);
    this.#targets = {
      rolloutHandler: options.rolloutHandler && prepareHandler('rolloutHandler', options.rolloutHandler),
      invocationHandler:
        options.invocationHandler && prepareHandler('invocationHandler', options.invocationHandler),
      openStore: storeOpener(options.resultStore),
      runs,
      invocations: new Invocations(this.#records, runs),
      reach: new ReachTunnels(() => this.fastify.server),
      wires: options.wires ?? [],
      wireRollouts: new WireRollouts(),
      redaction,
      ping,
      tasks,
      open: new OpenInvocations(tasks),
      warnedUnkept: new Set(),
      background: options.background ?? false,
      debug: options.debug ?? false,
      closing: false,
    };
    this.#addRoutes(new Set(['/invocations', invocationPathOf(options)]));
  }

  /**
   * Registers the handler of rollouts; the method form of `rolloutHandler`.
   * @returns the handler, so that it can be called directly in tests
   * @throws ArtError `ART_INVALID_OPTION` where there is one already
   */
  rolloutEntrypoint<S extends RequestSchema | undefined = undefined>(
    process: RolloutProcess<S>,
    options: { requestSchema?: S } = {},
  ): RolloutProcess<S> {
    refuseSecond('rollout handler', this.#targets.rolloutHandler);
    this.#targets.rolloutHandler = prepareHandler('rolloutHandler', { ...options, process });
    return process;
  }

  /**
   * Registers the handler of production traffic; the method form of `invocationHandler`.
   * @throws ArtError `ART_INVALID_OPTION` where there is one already
   */
  entrypoint<S extends RequestSchema | undefined = undefined>(
    process: InvocationProcess<S>,
    options: { requestSchema?: S } = {},
  ): InvocationProcess<S> {
    refuseSecond('invocation handler', this.#targets.invocationHandler);
    this.#targets.invocationHandler = prepareHandler('invocationHandler', { ...options, process });
    return process;
  }

  /** Registers the handler of WebSocket connections, before the app listens. */
  websocket(handler: WebSocketHandler): void {
    refuseSecond('WebSocket handler', this.#websocketHandler);
    checkAppOptions({ websocketHandler: handler });
    this.#websocketHandler = handler;
  }

  /** Registers the handler of AgentCore's lifecycle hook, before the app listens. */
  warmup(handler: WarmupHandler): void {
    refuseSecond('warm-up handler', this.#warmupHandler);
    checkAppOptions({ warmupHandler: handler });
    this.#warmupHandler = handler;
  }

  /** Registers what says how the session is, instead of the count of background tasks. */
  ping(handler: PingHandler): void {
    checkAppOptions({ pingHandler: handler });
    this.#targets.ping.setHandler(handler);
  }

  /** Reports this status until {@link clearForcedPingStatus}, whatever continues. */
  forcePingStatus(status: PingStatus): void {
    this.#targets.ping.force(status);
  }

  clearForcedPingStatus(): void {
    this.#targets.ping.clearForced();
  }

  /** The status that `/ping` reports now: the forced one, else the ping handler's answer, else by background tasks. */
  async getCurrentPingStatus(): Promise<PingStatus> {
    return (await this.#targets.ping.report()).status;
  }

  /** Notes background work, which keeps the session `HealthyBusy`. @returns the id for {@link completeAsyncTask} */
  addAsyncTask(name: string, metadata?: Record<string, unknown>): number {
    return this.#targets.tasks.add(name, metadata);
  }

  /** @returns whether the task was running */
  completeAsyncTask(id: number): boolean {
    return this.#targets.tasks.complete(id);
  }

  /** Wraps a function so that every call of it counts as background work until it has settled. */
  asyncTask<A extends unknown[], T>(run: (...args: A) => T | Promise<T>): (...args: A) => Promise<T> {
    return this.#targets.tasks.track(run);
  }

  getAsyncTaskInfo(): AsyncTaskInfo {
    return this.#targets.tasks.info();
  }

  /**
   * Listens, and takes charge of the process: it closes on SIGTERM and SIGINT, see {@link close}, and when an error is
   * caught by nobody (a throw in a callback, a promise that a handler left behind). Then every unfinished rollout gets an
   * error document, and the process ends with code 1. Where it cannot listen, it says why in one line on stderr, and ends
   * the process with code 1, too.
   * @returns the URL that the app listens at
   */
  async run(options?: ListenOptions): Promise<string> {
    let url;
    try {
      if (this.#isSnapshotSafe) installFreshDraws();
      url = await this.listen(options);
    } catch (error) {
      if (ArtError.isInstance(error)) endBeforeStart(error);
      throw error;
    }
    this.#disownProcess ??= ownProcess({
      close: () => this.close(),
      crash: (error) => {
        this.#targets.closing = true;
        return this.#targets.runs.crash(error, closeLimitMs - spareMs);
      },
      log: this.fastify.log,
      limitMs: closeLimitMs,
    });
    return url;
  }

  /**
   * Listens without touching the process's signals.
   * @returns the URL that the app listens at
   * @throws ArtError `ART_INVALID_OPTION`, `ART_STATE_DIR`, `ART_PORT_TAKEN`
   */
  async listen(options?: ListenOptions): Promise<string> {
    const address = listenAddress(options);
    if (this.#opensNamedStore) checkResultStoreVariable();
    await this.#records.probe();
    const { url, door } = await openListener(this.fastify, this.#targets.ping, this.#pingThread, address);
    this.#door = door;
    return url;
  }

  /** The port that the app listens at; undefined while it does not. */
  get port(): number | undefined {
    return this.#address?.port;
  }

  get #address(): AddressInfo | undefined {
    const own = this.fastify.server.address() as AddressInfo | null;
    return own === null ? undefined : (this.#door?.address ?? own);
  }

  /** Answers a request without a socket, for tests. */
  inject(request: InjectOptions | string): Promise<LightMyRequestResponse> {
    return this.fastify.inject(request);
  }

  /**
   * Takes no further work, aborts `context.signal` of what is running, gives handlers `terminationGraceMs`, stores a
   * `terminated` document (status 503) for rollouts that did not finish, and stops listening. Idempotent.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#targets.closing = true;
    await Promise.all([
      this.#targets.open.terminate(this.#graceMs),
      this.#targets.runs.terminate({
        graceMs: this.#graceMs,
        saveMs: closeLimitMs - this.#graceMs - spareMs,
      }),
    ]);
    await this.#targets.reach.close();
    await this.fastify.close();
    await this.#door?.close();
    this.#disownProcess?.();
  }

  /** All before this, pings and the warm-up, may have happened before a snapshot of the process that sessions are restored from. */
  #beginSession(request: FastifyRequest): void {
    if (this.#hasSession) return;
    const sessionId = namedSessionIdOf(request);
    this.#hasSession = true;
    if (sessionId !== undefined) mixIntoDraws(sessionId);
    this.#targets.ping.forgetTime();
  }

  #addRoutes(invocationPaths: ReadonlySet<string>): void {
    this.fastify.get('/ping', () => this.#targets.ping.report());
    for (const path of invocationPaths) {
      this.fastify.post(path, async (request, reply) => {
        try {
          this.#beginSession(request);
          return await dispatchInvocation(request, reply, this.#targets);
        } catch (error) {
          return replyWithError(request, reply, error);
        }
      });
    }
    // Plugins run when the app gets ready, so the handler may come by method after the constructor.
    this.fastify.register(async (scope) => {
      if (this.#warmupHandler !== undefined) serveWarmup(scope, this.#warmupHandler);
      if (this.#websocketHandler !== undefined)
        await serveWebSocket(scope, this.#websocketHandler, this.#targets.reach, (request) =>
          this.#beginSession(request),
        );
    });
  }
}

function refuseSecond(what: string, registered: unknown): void {
  if (registered === undefined) return;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected one ${what}, got a second one. Give it either as an option or by the method, once.`,
  });
}
