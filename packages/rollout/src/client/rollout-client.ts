import { ArtError, type AgentRuntime } from '@art/protocol';
import { BatchRun } from '../batch/batch-run.ts';
import type { BatchItem } from '../batch/batch-item.ts';
import {
  checkBatchOptions,
  type BatchOptions,
  type Payload,
  type PayloadSource,
} from '../batch/batch-options.ts';
import { systemClock, type Clock } from '../clock.ts';
import type { Group } from '../groups/group.ts';
import { checkGroupOptions, type GroupOptions, type InputSource } from '../groups/group-options.ts';
import { GroupRun } from '../groups/group-run.ts';
import { checkNumber } from '../check-option.ts';
import { keepAlive } from '../keep-alive.ts';
import { Rollout, type RolloutListener, type RolloutParts } from '../lifecycle/rollout.ts';
import { resolveLateSessionOptions } from '../lifecycle/session-state/late-session-options.ts';
import { LateSessions } from '../lifecycle/session-state/late-sessions.ts';
import type { RolloutEvent } from '../rollout-event.ts';
import { generatedInputId, randomRolloutIds, type RolloutIds } from '../rollout-ids.ts';
import { buildRolloutRequest, type RolloutRequest } from '../rollout-request.ts';
import { Semaphore } from '../semaphore.ts';
import { CompletionWatcher } from '../watcher/completion-watcher.ts';
import {
  checkRolloutClientOptions,
  type RolloutClientOptions,
  type RuntimeFactory,
} from './rollout-client-options.ts';
import type { RolloutChoices } from './rollout-choices.ts';
import { EventStream, type DroppedEvents } from './event-stream.ts';
import { RolloutFuture } from './rollout-future.ts';
import { storeTroubleReporter } from './store-trouble-reporter.ts';
import type { YieldingRun } from './yielding-run.ts';

export interface InvokeOptions extends RolloutChoices {
  /** Gives the submission up and stops the session that it may have started. */
  signal?: AbortSignal | undefined;
}

export interface EventsOptions {
  /** Events that may wait for the reader. @default 10_000 */
  capacity?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Submits rollouts to an agent and collects their results from the store. One client serves any number of rollouts at
 * once; all of them share one watch over the store.
 */
export class RolloutClient implements AsyncDisposable {
  readonly #options: RolloutClientOptions;
  readonly #runtime: AgentRuntime;
  readonly #parts: RolloutParts;
  readonly #watcher: CompletionWatcher;
  readonly #clock: Clock;
  readonly #ids: RolloutIds;
  readonly #live = new Map<string, Rollout>();
  readonly #runs = new Set<YieldingRun<unknown>>();
  readonly #onEvents = new Set<(event: RolloutEvent) => void>();
  readonly #streams = new Set<EventStream>();
  #singles: { batchId: string; count: number } | undefined;
  #closed: Promise<void> | undefined;

  /** @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`, `ART_JSON_WRITE` */
  constructor(options: RolloutClientOptions) {
    checkRolloutClientOptions(options);
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#ids = options.ids ?? randomRolloutIds;
    this.#runtime =
      typeof options.runtime === 'function' ? this.#makeRuntime(options.runtime) : options.runtime;
    const warn = options.onWarning ?? ((message: string): void => process.emitWarning(message, 'ArtWarning'));
    const storeConcurrency = options.storeConcurrency ?? 64;
    this.#watcher = new CompletionWatcher({
      store: options.store,
      clock: this.#clock,
      lagBoundMs: options.lagBoundMs,
      pushedSweepIntervalMs: options.pushedSweepIntervalMs,
      listCostInHeads: options.listCostInHeads,
      concurrency: storeConcurrency,
      onTrouble: storeTroubleReporter({
        emit: (event) => this.#broadcast(event),
        warn,
        epochMs: () => this.#clock.epochMs(),
      }),
    });
    this.#parts = {
      runtime: this.#runtime,
      store: options.store,
      watcher: this.#watcher,
      lateSessions:
        options.lateSessions === false
          ? undefined
          : new LateSessions({
              runtime: this.#runtime,
              store: options.store,
              clock: this.#clock,
              rules: resolveLateSessionOptions(options.lateSessions),
            }),
      fetchLimit: new Semaphore(storeConcurrency),
      clock: this.#clock,
      fetchGiveUpMs: options.fetchGiveUpMs ?? 60_000,
      stopTimeoutMs: options.stopTimeoutMs ?? 30_000,
      warn,
    };
  }

  /**
   * Submits one rollout; resolves when the agent has accepted it.
   * @throws ArtError when it was not accepted: `ART_INVALID_PAYLOAD` and other input errors before anything is sent,
   *   a `RuntimeError`, `ART_INVALID_REPLY` or `ART_RESULT_KEY_MISMATCH` after; the signal's reason when aborted.
   */
  async invoke(payload: Payload, options: InvokeOptions = {}): Promise<RolloutFuture> {
    this.#assertOpen();
    options.signal?.throwIfAborted();
    this.#singles ??= { batchId: this.#ids.batchId(this.#clock.epochMs()), count: 0 };
    const request = this.#request(payload, options, this.#singles.batchId, this.#singles.count++);
    const rollout = this.#start(request, 0, () => undefined);
    const onAbort = (): void => rollout.cancel(options.signal?.reason);
    const release = keepAlive();
    options.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await rollout.accepted;
      const state = rollout.state;
      if (state.phase === 'settled' && state.acceptedMs === undefined && !('document' in state.outcome)) {
        await rollout.finished;
        options.signal?.throwIfAborted();
        throw state.outcome.error;
      }
      return new RolloutFuture(rollout, this.#clock);
    } finally {
      options.signal?.removeEventListener('abort', onAbort);
      release();
    }
  }

  /**
   * Runs many rollouts, at most `maxConcurrentSessions` at a time, and yields each with its outcome as it settles, in
   * order of completion. Nothing starts before the first item is asked for. Payloads are taken from the source only
   * when there is room for them. Leaving the loop early (`break`, an exception, an aborted signal) stops every
   * outstanding session before it returns.
   * A payload that cannot be sent yields a `rejected` item; an error of the source is thrown after the last item.
   * @throws ArtError `ART_INVALID_OPTION`, at once.
   */
  runBatch<P extends Payload>(
    payloads: PayloadSource<P>,
    options: BatchOptions<P>,
  ): AsyncGenerator<BatchItem, void, undefined> {
    this.#assertOpen();
    checkBatchOptions(payloads, options);
    const batchId = this.#ids.batchId(this.#clock.epochMs());
    const run = new BatchRun(payloads, options, {
      clock: this.#clock,
      start: (payload, choices, index, onEvent) =>
        this.#start(this.#request(payload, choices, batchId, index), index, onEvent),
    });
    return this.#iterate(run);
  }

  /**
   * Everything that happens to this client's rollouts from now on, single ones and those of batches, until the loop is left,
   * the signal aborts or the client is closed. A reader never holds rollouts up: one that falls behind by more than
   * `capacity` events finds a `dropped` event in place of the oldest ones.
   * @throws ArtError `ART_INVALID_OPTION`
   */
  events(options: EventsOptions = {}): AsyncIterableIterator<RolloutEvent | DroppedEvents> {
    const { capacity = 10_000, signal } = options;
    checkNumber('capacity', capacity, { above: 1, integer: true });
    const onAbort = (): void => stream.end();
    const stream = new EventStream(capacity, () => {
      this.#streams.delete(stream);
      signal?.removeEventListener('abort', onAbort);
    });
    if (this.#closed !== undefined || signal?.aborted === true) stream.end();
    else this.#streams.add(stream);
    signal?.addEventListener('abort', onAbort, { once: true });
    return stream;
  }

  /**
   * Runs `rolloutsPerInput` rollouts of each input and yields each group as it settles: its members, rewards and, on
   * request, advantages. Members of a group are started one after the other, groups in the order of the inputs, all
   * under one limit of `maxConcurrentSessions`. Failed and late members are treated as `policy` says; a failure of the
   * infrastructure never enters a group's mean. Otherwise as `runBatch`: nothing starts before the first group is asked
   * for, and leaving the loop early stops every session before it returns.
   * @throws ArtError `ART_INVALID_OPTION`, at once.
   */
  runGroups<Input extends object>(
    inputs: InputSource<Input>,
    options: GroupOptions<Input>,
  ): AsyncGenerator<Group<Input>, void, undefined> {
    this.#assertOpen();
    checkGroupOptions(inputs, options);
    const batchId = this.#ids.batchId(this.#clock.epochMs());
    const run = new GroupRun(inputs, options, {
      clock: this.#clock,
      generateInputId: (groupIndex) => generatedInputId(batchId, groupIndex),
      start: (payload, choices, index, onEvent) =>
        this.#start(this.#request(payload, choices, batchId, index), index, onEvent),
    });
    return this.#iterate(run);
  }

  /** Gives up whatever is outstanding, stops its sessions and lets go of the store and the runtime. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async *#iterate<Item>(run: YieldingRun<Item>): AsyncGenerator<Item, void, undefined> {
    this.#assertOpen();
    const release = keepAlive();
    this.#runs.add(run);
    this.#onEvents.add(run.onSharedEvent);
    run.begin();
    try {
      for (let item = await run.next(); item !== undefined; item = await run.next()) yield item;
    } finally {
      await run.stop(new Error('the batch was left early'));
      this.#onEvents.delete(run.onSharedEvent);
      this.#runs.delete(run);
      release();
    }
  }

  async #closeOnce(): Promise<void> {
    const closed = new ArtError({ code: 'ART_CLIENT_CLOSED', message: 'The client was closed.' });
    const release = keepAlive();
    await Promise.all([...this.#runs].map((run) => run.stop(closed)));
    const live = [...this.#live.values()];
    for (const rollout of live) rollout.cancel(closed);
    await Promise.all(live.map((rollout) => rollout.finished));
    await this.#watcher.close();
    if (typeof this.#options.runtime === 'function') await this.#runtime.close?.();
    for (const stream of this.#streams) stream.end();
    release();
  }

  #makeRuntime(make: RuntimeFactory): AgentRuntime {
    const { agentRuntimeArn, tpsLimit, maxRetryAttempts, maxPoolConnections } = this.#options;
    return make({ agentRuntimeArn, tpsLimit, maxRetryAttempts, maxPoolConnections }, (event) =>
      this.#broadcast(event),
    );
  }

  #request(payload: unknown, choices: RolloutChoices, batchId: string, index: number): RolloutRequest {
    const request = buildRolloutRequest(
      payload,
      {
        inputId: choices.inputId ?? generatedInputId(batchId, index),
        sessionId: choices.sessionId ?? this.#ids.sessionId(),
        attemptId: this.#ids.attemptId(),
      },
      this.#options,
      choices.overrides,
    );
    if (this.#live.has(liveName(request))) {
      throw new ArtError({
        code: 'ART_DUPLICATE_ROLLOUT',
        message: `A rollout with the result key ${JSON.stringify(request.resultKey)} is outstanding already. Give each rollout a session id of its own, or none.`,
      });
    }
    return request;
  }

  #start(request: RolloutRequest, index: number, onEvent: RolloutListener): Rollout {
    this.#assertOpen();
    const rollout = new Rollout(request, index, this.#parts, (event) => {
      onEvent(event);
      for (const stream of this.#streams) stream.push(event);
    });
    const name = liveName(request);
    this.#live.set(name, rollout);
    void rollout.finished.then(() => this.#live.delete(name));
    return rollout;
  }

  #broadcast(event: RolloutEvent): void {
    for (const listener of this.#onEvents) listener(event);
    for (const stream of this.#streams) stream.push(event);
  }

  #assertOpen(): void {
    if (this.#closed === undefined) return;
    throw new ArtError({
      code: 'ART_CLIENT_CLOSED',
      message: 'Expected an open client, this one was closed. Make a new one.',
    });
  }
}

function liveName(request: RolloutRequest): string {
  return `${request.bucket}\n${request.resultKey}`;
}
