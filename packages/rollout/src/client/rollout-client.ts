import { backgroundClock, type Clock } from '@art/async';
import type { JournalChoice } from '@art/journal';
import { type AgentRuntime, ArtError, assertSessionId, refuseOption } from '@art/protocol';
import type { BatchItem } from '../batch/batch-item.ts';
import type { BatchOptions, PayloadSource } from '../batch/batch-options.ts';
import { resolveGateway } from '../gateway/gateway-options.ts';
import type { GroupOptions, InputSource } from '../groups/group-options.ts';
import type { Group } from '../groups/group.ts';
import type { ResultSource } from '../lifecycle/result-source.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import type { Rollout, RolloutListener } from '../lifecycle/rollout.ts';
import type { SessionStops } from '../lifecycle/session-stops.ts';
import { clientClosed, LiveRollouts } from '../live/live-rollouts.ts';
import { generatedInputId, randomRolloutIds, type RolloutIds } from '../request/rollout-ids.ts';
import type { Payload } from '../request/rollout-request.ts';
import { AgentSession } from './agent-session.ts';
import {
  checkInvokeOptions,
  type EventsOptions,
  type InvokeOptions,
  type ResumeGroupsOptions,
  type ResumeOptions,
} from './call-options.ts';
import { ClientEvents } from './client-events.ts';
import type { DroppedEvents } from './event-stream.ts';
import { Preflight } from './preflight.ts';
import {
  checkRolloutClientOptions,
  resultTarget,
  type RolloutClientOptions,
} from './rollout-client-options.ts';
import { RolloutFuture } from './rollout-future.ts';
import { makeRuntime, rolloutParts } from './rollout-parts.ts';
import { batchRun, groupRun, Runs } from './runs.ts';
import { StopOnSignals } from './stop-on-signals.ts';
import { keepAlive, waitForRollout } from './wait-for-rollout.ts';

/**
 * Submits rollouts to an agent and collects their results, from a store or from their sessions. One client serves any number
 * of rollouts at once; all of them share one watch.
 */
export class RolloutClient implements AsyncDisposable {
  readonly #options: RolloutClientOptions;
  readonly #runtime: AgentRuntime;
  readonly #source: ResultSource;
  readonly #signals: StopOnSignals | undefined;
  readonly #clock: Clock;
  readonly #ids: RolloutIds;
  readonly #live: LiveRollouts;
  readonly #stops: SessionStops;
  readonly #preflight: Preflight;
  readonly #runs: Runs;
  readonly #events = new ClientEvents();
  readonly #sessions = new Set<AgentSession>();
  #singles: { batchId: string; count: number } | undefined;
  #closed: Promise<void> | undefined;

  /** @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`, `ART_JSON_WRITE` */
  constructor(options: RolloutClientOptions) {
    checkRolloutClientOptions(options);
    const gateway = resolveGateway(options.gateway);
    this.#options = options;
    const clock = options.clock ?? backgroundClock;
    this.#clock = clock;
    this.#ids = options.ids ?? randomRolloutIds;
    this.#runtime =
      typeof options.runtime === 'function'
        ? makeRuntime(options, options.runtime, this.#events.share)
        : options.runtime;
    const target = resultTarget(options);
    const { store, checkStore = true, agentRuntimeArn } = options;
    const stored =
      target !== undefined && store !== undefined && checkStore ? { ...target, store } : undefined;
    if (options.stopOnSignals === true)
      this.#signals = new StopOnSignals({
        nowMs: () => clock.nowMs(),
        stop: (reason) => this.#stopAll(reason),
      });
    const assertReady = (): void => {
      this.#assertOpen();
      this.#signals?.throwIfStopped();
    };
    const preflight = new Preflight({ runtime: this.#runtime, stored, clock, assertReady });
    this.#preflight = preflight;
    const storeTrouble = stored && (() => preflight.storeTrouble());
    const parts = rolloutParts(options, this.#runtime, clock, this.#events.share, storeTrouble);
    this.#source = parts.source;
    this.#stops = parts.stops;
    this.#live = new LiveRollouts({ ...options, target }, this.#ids, parts, this.#events.tell, gateway);
    const { bucket, expId = options.expId } = target ?? {};
    this.#runs = new Runs({
      ...parts,
      ids: this.#ids,
      live: this.#live,
      events: this.#events,
      preflight,
      signals: this.#signals,
      expId,
      bucket,
      agentRuntimeArn,
      assertReady,
    });
  }

  /**
   * Submits one rollout; resolves when the agent has accepted it, or with `background: false` when it is done.
   * @throws ArtError when it was not accepted: `ART_INVALID_PAYLOAD` and other input errors before anything is sent,
   *   a `RuntimeError`, `ART_INVALID_REPLY` or `ART_RESULT_KEY_MISMATCH` after; the signal's reason when aborted.
   */
  async invoke(payload: Payload, options: InvokeOptions = {}): Promise<RolloutFuture> {
    this.#assertOpen();
    checkInvokeOptions(options);
    options.signal?.throwIfAborted();
    const letGo = this.#signals?.hold();
    try {
      await this.#preflight.pass(options.signal);
      const { batchId, number } = this.#nextSingle();
      const inputId = options.inputId ?? generatedInputId(batchId, number);
      const rollout = await this.#submit(payload, { ...options, inputId });
      void rollout.finished.then(letGo);
      return new RolloutFuture(rollout, this.#clock);
    } catch (error) {
      letGo?.();
      throw error;
    }
  }

  /**
   * A machine for several invocations: a dialogue with a user in between, an environment of many turns. Nothing is started
   * before the first one; the machine is stopped when the session is disposed, or with the client.
   * @param sessionId 33 to 256 characters. @default a random UUID
   * @throws ArtError `ART_INVALID_SESSION_ID`, `ART_CLIENT_CLOSED`; `ART_INVALID_OPTION` with a gateway, whose trajectories are
   *   those of rollouts
   */
  session(sessionId: string = this.#ids.sessionId()): AgentSession {
    this.#assertOpen();
    assertSessionId(sessionId);
    if (this.#options.gateway !== undefined)
      refuseOption(
        'gateway',
        'left out of a client whose sessions take several invocations',
        this.#options.gateway,
      );
    const { batchId } = this.#nextSingle();
    const session = new AgentSession(sessionId, {
      clock: this.#clock,
      stops: this.#stops,
      begin: (signal) => this.#preflight.pass(signal),
      hold: () => this.#signals?.hold() ?? (() => undefined),
      start: (payload, { overrides, background = false }) => {
        const inSession = background ? 'background' : 'foreground';
        const choices = { sessionId, overrides };
        return this.#live.start(
          { payload, index: 0, choices, inSession, keepsSession: true, onEvent: () => undefined },
          batchId,
        );
      },
      onStopped: (stopped) => this.#sessions.delete(stopped),
    });
    this.#sessions.add(session);
    return session;
  }

  /**
   * Runs many rollouts, at most `maxConcurrentSessions` at a time, and yields each with its outcome as it settles, in
   * order of completion. Nothing starts before the first item is asked for. Payloads are taken from the source only
   * when there is room for them. Leaving the loop early (`break`, an exception, an aborted signal) stops every
   * outstanding session before it returns.
   * A payload that cannot be sent yields a `rejected` item; an error of the source is thrown after the last item.
   * With `journal` every rollout is written down before it is sent, and `resume` goes on with what is left; `detachSignal` leaves
   * the loop with the sessions at work.
   * @throws ArtError `ART_INVALID_OPTION`, at once. With the first item: `ART_JOURNAL_EXISTS`, `ART_JOURNAL_WRITE_FAILED`;
   *   in a run that a journal no longer records also later: what runs is finished first, and stays in the store.
   */
  runBatch<P extends Payload>(
    payloads: PayloadSource<P>,
    options: BatchOptions<P>,
  ): AsyncGenerator<BatchItem, void, undefined> {
    this.#assertOpen();
    return this.#runs.start(batchRun<P>(), payloads, options);
  }

  /**
   * Goes on with a batch that an earlier process began, here or on another machine. Journal and store are compared first:
   * results that have landed are taken, live sessions waited for, and only what is missing or was certainly lost is run.
   * Items that were acknowledged are not yielded again, all others are.
   * @param payloads the same as before, in the same order.
   * @param options what is left out is as it was; functions must be given again.
   * @throws ArtError `ART_INVALID_OPTION`, at once. With the first item, before anything is sent: `ART_JOURNAL_NOT_FOUND`,
   *   `ART_JOURNAL_LOCKED`, `ART_JOURNAL_PAYLOADS_CHANGED`, `ART_JOURNAL_CORRUPT`, `ART_INVALID_OPTION`.
   */
  resume<P extends Payload>(
    journal: JournalChoice,
    payloads: PayloadSource<P>,
    options: ResumeOptions<P> = {},
  ): AsyncGenerator<BatchItem, void, undefined> {
    this.#assertOpen();
    return this.#runs.resume(batchRun<P>(), journal, payloads, options);
  }

  /**
   * Everything that happens to this client's rollouts from now on, single ones and those of batches, until the loop is left,
   * the signal aborts or the client is closed. A reader never holds rollouts up: one that falls behind by more than
   * `capacity` events finds a `dropped` event in place of the oldest ones.
   * @throws ArtError `ART_INVALID_OPTION`
   */
  events(options: EventsOptions = {}): AsyncIterableIterator<RolloutEvent | DroppedEvents> {
    const stream = this.#events.stream(options);
    if (this.#closed !== undefined) stream.end();
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
    return this.#runs.start(groupRun<Input>(), inputs, options);
  }

  /** As `resume`, for a run of groups: members are adopted one by one, and groups that were acknowledged left alone. */
  resumeGroups<Input extends object>(
    journal: JournalChoice,
    inputs: InputSource<Input>,
    options: ResumeGroupsOptions<Input> = {},
  ): AsyncGenerator<Group<Input>, void, undefined> {
    this.#assertOpen();
    return this.#runs.resume(groupRun<Input>(), journal, inputs, options);
  }

  /** Gives up whatever is outstanding, stops its sessions and lets go of the store and the runtime. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @throws what the rollout was not accepted for; the signal's reason */
  async #submit(payload: Payload, options: InvokeOptions & { inputId: string }): Promise<Rollout> {
    const { signal, background, inputId } = options;
    const inSession = background === false ? 'foreground' : undefined;
    const begun = Promise.withResolvers<void>();
    const onEvent: RolloutListener = ({ type }) => {
      if (type === 'settled' || (type === 'accepted' && inSession === undefined)) begun.resolve();
    };
    const rollout = this.#live.start({ payload, index: 0, choices: options, inSession, onEvent }, inputId);
    await waitForRollout(rollout, begun.promise, { clock: this.#clock, signal });
    const { state } = rollout;
    if (state.phase === 'settled' && state.acceptedMs === undefined && !('document' in state.outcome)) {
      await waitForRollout(rollout, rollout.finished, { clock: this.#clock });
      signal?.throwIfAborted();
      throw state.outcome.error;
    }
    return rollout;
  }

  async #stopAll(reason: unknown): Promise<void> {
    await this.#runs.stop(reason);
    await this.#live.cancelAll(reason);
    await Promise.all(Array.from(this.#sessions, (session) => session.stop()));
  }

  async #closeOnce(): Promise<void> {
    const closed = new ArtError({ code: 'ART_CLIENT_CLOSED', message: 'The client was closed.' });
    const release = keepAlive();
    const sinceMs = this.#clock.nowMs();
    this.#live.close();
    await this.#stopAll(closed);
    await this.#runs.closeJournals();
    await this.#source.close();
    await this.#stops.close(sinceMs);
    if (typeof this.#options.runtime === 'function') await this.#runtime.close?.();
    this.#events.end();
    release();
  }

  #nextSingle(): { batchId: string; number: number } {
    this.#singles ??= { batchId: this.#ids.batchId(this.#clock.epochMs()), count: 0 };
    return { batchId: this.#singles.batchId, number: this.#singles.count++ };
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw clientClosed();
  }
}
