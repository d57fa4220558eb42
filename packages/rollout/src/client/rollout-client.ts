import { backgroundClock } from '@art/async';
import type { JournalChoice } from '@art/journal';
import { ArtError, assertSessionId, refuseOption } from '@art/protocol';
import type { BatchItem } from '../batch/batch-item.ts';
import type { BatchOptions, PayloadSource } from '../batch/batch-options.ts';
import type { GroupOptions, InputSource } from '../groups/group-options.ts';
import type { Group } from '../groups/group.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import type { RolloutListener } from '../lifecycle/rollout-parts.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import type { DroppedEvents, EventsOptions } from '../live/event-stream.ts';
import { clientClosed } from '../live/live-rollouts.ts';
import { generatedInputId } from '../request/rollout-ids.ts';
import type { Payload } from '../request/rollout-request.ts';
import { AgentSession } from './agent-session.ts';
import {
  checkInvokeOptions,
  type InvokeOptions,
  type ResumeGroupsOptions,
  type ResumeOptions,
} from './call-options.ts';
import { clientParts, type ClientParts } from './client-parts.ts';
import { checkRolloutClientOptions, type RolloutClientOptions } from './rollout-client-options.ts';
import { RolloutFuture } from './rollout-future.ts';
import { batchRun, groupRun, Runs } from './runs.ts';
import { StopOnSignals } from './stop-on-signals.ts';
import { keepAlive, waitForRollout } from './wait-for-rollout.ts';

/**
 * Submits rollouts to an agent and collects their results, from a store or from their sessions. One client serves any number
 * of rollouts at once; all of them share one watch.
 */
export class RolloutClient implements AsyncDisposable {
  readonly #options: RolloutClientOptions;
  readonly #parts: ClientParts;
  readonly #runs: Runs;
  readonly #sessions = new Set<AgentSession>();
  #singles: { batchId: string; count: number } | undefined;
  #closed: Promise<void> | undefined;

  /** @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`, `ART_JSON_WRITE` */
  constructor(options: RolloutClientOptions) {
    checkRolloutClientOptions(options);
    this.#options = options;
    const { clock = backgroundClock, stopOnSignals = false } = options;
    const nowMs = (): number => clock.nowMs();
    const stop = (reason: unknown): Promise<void> => this.#stopAll(reason);
    const signals = stopOnSignals ? new StopOnSignals({ nowMs, stop }) : undefined;
    this.#parts = clientParts(options, signals, () => {
      this.#assertOpen();
      signals?.throwIfStopped();
    });
    this.#runs = new Runs(this.#parts);
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
    const { clock, preflight, signals } = this.#parts;
    const letGo = signals?.hold();
    try {
      await preflight.pass(options.signal);
      const { batchId, number } = this.#nextSingle();
      const inputId = options.inputId ?? generatedInputId(batchId, number);
      const rollout = await this.#submit(payload, { ...options, inputId });
      void rollout.finished.then(letGo);
      return new RolloutFuture(rollout, clock);
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
  session(sessionId: string = this.#parts.ids.sessionId()): AgentSession {
    this.#assertOpen();
    assertSessionId(sessionId);
    if (this.#options.gateway !== undefined)
      refuseOption(
        'gateway',
        'left out of a client whose sessions take several invocations',
        this.#options.gateway,
      );
    const { batchId } = this.#nextSingle();
    const session = new AgentSession(sessionId, batchId, this.#parts, (stopped) =>
      this.#sessions.delete(stopped),
    );
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
    const stream = this.#parts.events.stream(options);
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
    const { clock, live } = this.#parts;
    const rollout = live.start({ payload, index: 0, choices: options, inSession, onEvent }, inputId);
    await waitForRollout(rollout, begun.promise, { clock, signal });
    const { state } = rollout;
    if (state.phase === 'settled' && state.acceptedMs === undefined && !('document' in state.outcome)) {
      await waitForRollout(rollout, rollout.finished, { clock });
      signal?.throwIfAborted();
      throw state.outcome.error;
    }
    return rollout;
  }

  async #stopAll(reason: unknown): Promise<void> {
    await this.#runs.stop(reason);
    await this.#parts.live.cancelAll(reason);
    await Promise.all(Array.from(this.#sessions, (session) => session.stop()));
  }

  async #closeOnce(): Promise<void> {
    const closed = new ArtError({ code: 'ART_CLIENT_CLOSED', message: 'The client was closed.' });
    const { clock, events, live, runtime, source, stops } = this.#parts;
    const release = keepAlive();
    const sinceMs = clock.nowMs();
    live.close();
    await this.#stopAll(closed);
    await this.#runs.closeJournals();
    await source.close();
    await stops.close(sinceMs);
    await runtime.close?.();
    events.end();
    release();
  }

  #nextSingle(): { batchId: string; number: number } {
    const { clock, ids } = this.#parts;
    this.#singles ??= { batchId: ids.batchId(clock.epochMs()), count: 0 };
    return { batchId: this.#singles.batchId, number: this.#singles.count++ };
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw clientClosed();
  }
}
