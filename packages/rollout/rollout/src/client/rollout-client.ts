import { backgroundClock, ArtError, refuseOption } from '@art/ground';
import { resolveJournalChoice, type JournalChoice } from '@art/journal';
import { assertSessionId } from '@art/protocol';
import { batchForm } from '../batch/batch-form.ts';
import type { BatchItem } from '../batch/batch-item.ts';
import type { BatchOptions, PayloadSource } from '../batch/batch-options.ts';
import { groupForm } from '../groups/group-form.ts';
import type { GroupOptions, InputSource } from '../groups/group-options.ts';
import type { Group } from '../groups/group.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import type { RolloutListener } from '../lifecycle/rollout-deps.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import type { DroppedEvents, EventsOptions } from '../active/event-stream.ts';
import { clientClosed } from '../active/active-rollouts.ts';
import { generatedInputId } from '../request/rollout-ids.ts';
import type { Payload } from '../request/rollout-request.ts';
import type { Data, RunForm, RunItem } from '../run/open-run.ts';
import { Run, type RunHandle } from '../run/run.ts';
import type { RunOptions } from '../run/run-options.ts';
import { AgentSession } from './agent-session.ts';
import {
  checkInvokeOptions,
  single,
  type InvokeOptions,
  type ResumeGroupsOptions,
  type ResumeOptions,
} from './call-options.ts';
import { clientDeps, type ClientDeps } from './client-deps.ts';
import { checkRolloutClientOptions, type RolloutClientOptions } from './rollout-client-options.ts';
import { RolloutFuture } from './rollout-future.ts';
import { StopOnSignals } from './stop-on-signals.ts';
import { keepAlive, waitForRollout } from './wait-for-rollout.ts';

/**
 * Submits rollouts to an agent and collects their results, from a store or from their sessions. One client serves any number
 * of rollouts at once; all of them share one watch.
 */
export class RolloutClient implements AsyncDisposable {
  readonly #options: RolloutClientOptions;
  readonly #deps: ClientDeps;
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
    this.#deps = clientDeps(options, signals, () => {
      this.#assertOpen();
      signals?.throwIfStopped();
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
    const { clock, preflight, signals } = this.#deps;
    const release = signals?.hold();
    try {
      await preflight.pass(options.signal);
      const { batchId, number } = this.#nextSingle();
      const inputId = options.inputId ?? generatedInputId(batchId, number);
      const rollout = await this.#submit(payload, { ...options, inputId });
      void rollout.finished.then(release);
      return new RolloutFuture(rollout, clock);
    } catch (error) {
      release?.();
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
  session(sessionId: string = this.#deps.ids.sessionId()): AgentSession {
    this.#assertOpen();
    assertSessionId(sessionId);
    if (this.#options.gateway !== undefined)
      refuseOption(
        'gateway',
        'left out of a client whose sessions take several invocations',
        this.#options.gateway,
      );
    const { batchId } = this.#nextSingle();
    const session = new AgentSession(sessionId, generatedInputId(batchId, 0), this.#deps, (stopped) =>
      this.#sessions.delete(stopped),
    );
    this.#sessions.add(session);
    return session;
  }

  /**
   * Runs many rollouts, at most `maxConcurrentSessions` at a time, and yields each with its outcome as it settles, in
   * order of completion. What it returns is also a handle: `limit`, `pause()`, `progress`. Nothing starts before the first item is asked for. Payloads are taken from the source only
   * when there is room for them. Leaving the loop early (`break`, an exception, an aborted signal) stops every
   * outstanding session before it returns.
   * A payload that cannot be sent yields a `rejected` item; an error of the source is thrown after the last item.
   * With `journal` every rollout is written down before it is sent, and `resume` continues with what is left; `detachSignal` leaves
   * the loop with the sessions at work.
   * @throws ArtError `ART_INVALID_OPTION`, at once. With the first item: `ART_JOURNAL_EXISTS`, `ART_JOURNAL_WRITE_FAILED`;
   *   in a run that a journal no longer records also later: what runs is finished first, and stays in the store.
   */
  runBatch<P extends Payload>(payloads: PayloadSource<P>, options: BatchOptions<P>): RunHandle<BatchItem> {
    return this.#start(batchForm<P>(), payloads, options);
  }

  /**
   * Continues a batch that an earlier process began, here or on another machine. Journal and store are compared first:
   * results that have landed are taken, live sessions waited for, and only what is missing or was certainly lost is run.
   * Items that were acknowledged are not yielded again, all others are.
   * @param payloads items are known by their ids: with `inputId` the payloads may be in another order, filtered or more; without it an
   *   item is named by its position.
   * @param options what is left out is as it was; functions must be given again.
   * @throws ArtError `ART_INVALID_OPTION`, at once. With the first item, before anything is sent: `ART_JOURNAL_NOT_FOUND`,
   *   `ART_JOURNAL_LOCKED`, `ART_JOURNAL_PAYLOADS_CHANGED`, `ART_JOURNAL_CORRUPT`, `ART_INVALID_OPTION`.
   */
  resume<P extends Payload>(
    journal: JournalChoice,
    payloads: PayloadSource<P>,
    options: ResumeOptions<P> = {},
  ): RunHandle<BatchItem> {
    return this.#resume(batchForm<P>(), payloads, journal, options);
  }

  /**
   * Everything that happens to this client's rollouts from now on, single ones and those of batches, until the loop is left,
   * the signal aborts or the client is closed. A reader never holds rollouts up: one that falls behind by more than
   * `capacity` events finds a `dropped` event in place of the oldest ones.
   * @throws ArtError `ART_INVALID_OPTION`
   */
  events(options: EventsOptions = {}): AsyncIterableIterator<RolloutEvent | DroppedEvents> {
    const stream = this.#deps.events.stream(options);
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
  ): RunHandle<Group<Input>> {
    return this.#start(groupForm<Input>(), inputs, options);
  }

  /** As `resume`, for a run of groups: members are adopted one by one, and groups that were acknowledged left alone. */
  resumeGroups<Input extends object>(
    journal: JournalChoice,
    inputs: InputSource<Input>,
    options: ResumeGroupsOptions<Input> = {},
  ): RunHandle<Group<Input>> {
    return this.#resume(groupForm<Input>(), inputs, journal, options);
  }

  /** Gives up whatever is outstanding, stops its sessions and lets go of the store and the runtime. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @throws ArtError `ART_INVALID_OPTION`, at once */
  #start<Input extends object, Options extends RunOptions, Item extends RunItem>(
    form: RunForm<Input, Options, Item>,
    data: Data<Input>,
    options: Options,
  ): RunHandle<Item> {
    this.#assertOpen();
    form.check(data, options);
    return new Run(form, { kind: 'new', data, options }, this.#deps);
  }

  /** @throws ArtError `ART_INVALID_OPTION`, at once */
  #resume<Input extends object, Options extends RunOptions, Item extends RunItem>(
    form: RunForm<Input, Options, Item>,
    data: Data<Input>,
    journal: JournalChoice,
    given: Partial<Omit<Options, 'journal'>>,
  ): RunHandle<Item> {
    this.#assertOpen();
    resolveJournalChoice(journal);
    const options = given as Partial<Options>;
    form.check(data, { ...form.placeholders, ...options, journal } as Options);
    return new Run(form, { kind: 'resumed', data, options, journal }, this.#deps);
  }

  /** @throws what the rollout was not accepted for; the signal's reason */
  async #submit(payload: Payload, options: InvokeOptions & { inputId: string }): Promise<Rollout> {
    const { signal, background } = options;
    const inSession = background === false ? 'foreground' : undefined;
    const begun = Promise.withResolvers<void>();
    const onEvent: RolloutListener = ({ type }) => {
      if (type === 'settled' || (type === 'accepted' && inSession === undefined)) begun.resolve();
    };
    const { clock, active } = this.#deps;
    const rollout = active.start({ ...single, payload, choices: options, inSession, onEvent });
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
    await Promise.all(Array.from(this.#deps.runs, (run) => run.stop(reason)));
    await this.#deps.active.cancelAll(reason);
    await Promise.all(Array.from(this.#sessions, (session) => session.stop()));
  }

  async #closeOnce(): Promise<void> {
    const closed = new ArtError({ code: 'ART_CLIENT_CLOSED', message: 'The client was closed.' });
    const { active, clock, events, runs, runtime, source, stops } = this.#deps;
    const release = keepAlive();
    const sinceMs = clock.nowMs();
    active.close();
    await this.#stopAll(closed);
    // Of some runs only a journal is left that waits for acknowledgements.
    await Promise.all(Array.from(runs, (run) => run.close()));
    await source.close();
    await stops.close(sinceMs);
    await runtime.close?.();
    events.end();
    release();
  }

  #nextSingle(): { batchId: string; number: number } {
    const { clock, ids } = this.#deps;
    this.#singles ??= { batchId: ids.batchId(clock.epochMs()), count: 0 };
    return { batchId: this.#singles.batchId, number: this.#singles.count++ };
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw clientClosed();
  }
}
