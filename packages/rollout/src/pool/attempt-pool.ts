import { pause } from '@art/async';
import { ArtError } from '@art/protocol';
import { rolloutCancelled } from '../lifecycle/outcome-of-failure.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import type { RolloutListener } from '../lifecycle/rollout-parts.ts';
import { AdaptiveLimit } from './adaptive-limit.ts';
import type { Attempt, AttemptEnd, AttemptRun } from './attempt.ts';
import { BatchProgressCounter } from './batch-progress.ts';
import { FailureWatch } from './failure-watch.ts';
import { MissingRewardWarning } from './missing-reward-warning.ts';
import { Outbox } from './outbox.ts';
import type { RunOptions } from './run-options.ts';
import type { RunParts } from './run-parts.ts';
import type { Scheduler, SchedulerParts } from './scheduler.ts';

// A second of the largest quota. What waits for its turn costs memory, and time of its deadline.
const mostUnsent = 1_000;

type Phase =
  | { name: 'running' }
  /** Nothing new is started: what runs is finished, then the failure is thrown, where there is one. */
  | { name: 'draining'; cause: 'ended' | 'expired' }
  | { name: 'draining'; cause: 'failed'; failure: unknown }
  /** `handsOut`: what was settled before is handed out first. */
  | { name: 'stopping'; reason: unknown; handsOut: boolean };

/**
 * The attempts of one run: as many at a time as its limit allows, until its deadline, its end or its stop. Which ones, and what
 * comes of them, is its scheduler's to say. Feeding, work and consumer never wait for one another except for room.
 */
export class AttemptPool<Item> {
  readonly #scheduler: Scheduler;
  readonly #outbox = new Outbox<Item>();
  readonly #failures: FailureWatch;
  readonly #options: RunOptions;
  readonly #parts: RunParts;
  readonly #attemptRun: AttemptRun;
  /** Attempts whose sessions may be alive, with what resolves once they are gone. */
  readonly #live = new Map<Attempt, Promise<void>>();
  /** Those of them of which nothing has left this process: they wait for a turn of the runtime. */
  readonly #unsent = new Set<Attempt>();
  readonly #progress: BatchProgressCounter;
  readonly #limit: AdaptiveLimit;
  readonly #missingReward: MissingRewardWarning;
  /** Aborts when no further attempt is wanted. */
  readonly #over = new AbortController();
  /** Aborts when the run hears of nothing outside any more. */
  readonly #deaf = new AbortController();
  #phase: Phase = { name: 'running' };
  #wakeFeeder: () => void = () => undefined;
  #cancelDeadline: () => void = () => undefined;
  #leaveEvents: () => void = () => undefined;

  constructor(options: RunOptions, parts: RunParts, schedule: (parts: SchedulerParts<Item>) => Scheduler) {
    this.#options = options;
    this.#parts = parts;
    this.#failures = new FailureWatch(options.maxFailures);
    this.#scheduler = schedule({ ...parts, outbox: this.#outbox, failures: this.#failures });
    this.#limit = new AdaptiveLimit(options.maxConcurrentSessions, options.adaptiveConcurrency);
    this.#progress = new BatchProgressCounter(parts.clock);
    this.#missingReward = new MissingRewardWarning(parts.warn);
    this.#attemptRun = {
      timeoutMs: options.timeoutMs ?? 900_000,
      over: this.#over.signal,
      onEvent: this.#onRolloutEvent,
      onLeaving: (attempt) => this.#sent(attempt),
    };
  }

  /** Whether its source has ended and all its items were handed out. */
  get isComplete(): boolean {
    return this.#phase.name === 'draining' && this.#phase.cause === 'ended' && this.#outbox.size === 0;
  }

  begin(): void {
    const { signal, detachSignal, batchTimeoutMs } = this.#options;
    const { session, events, clock } = this.#parts;
    this.#leaveEvents = events.join(this.#onSharedEvent);
    const broken = session?.record.broken;
    this.#on(broken, () => this.#endWithoutRecord(broken?.reason as ArtError));
    this.#on(signal, () => void this.stop(signal?.reason));
    this.#on(detachSignal, () => this.#detach(detachSignal?.reason));
    if (batchTimeoutMs !== undefined)
      this.#cancelDeadline = clock.after(batchTimeoutMs, () => this.#expire(batchTimeoutMs));
    void this.#feed();
  }

  /**
   * The next item; undefined when the run is over and every session was stopped.
   * @throws the source's error, or the reason of the stop
   */
  async next(): Promise<Item | undefined> {
    for (;;) {
      const isOver = this.#phase.name === 'draining' && this.#live.size === 0;
      if (isOver) this.#handOutRest();
      else if (!this.#failures.isUndecided) this.#release();
      const stopping = this.#phase.name === 'stopping' ? this.#phase : undefined;
      const item = stopping?.handsOut === false ? undefined : this.#outbox.take();
      if (item !== undefined) {
        this.#wakeFeeder();
        return item;
      }
      if (stopping !== undefined) {
        await this.stop(stopping.reason);
        throw stopping.reason;
      }
      if (this.#phase.name === 'draining' && isOver) {
        this.#letGo();
        if (this.#phase.cause === 'failed') throw this.#phase.failure;
        return undefined;
      }
      await this.#outbox.changed();
    }
  }

  /** Gives up everything outstanding; resolves when every session was told to stop. */
  async stop(reason: unknown): Promise<void> {
    this.#beginStopping(reason, rolloutCancelled(reason));
    this.#letGo();
    await Promise.all(this.#live.values());
    this.#leaveEvents();
  }

  #beginStopping(reason: unknown, over: ArtError, handsOut = false): void {
    if (this.#phase.name === 'stopping') return;
    // What is over cannot be stopped any more. Items that still wait are given up: whoever stops wants no more of them.
    if (this.#phase.name === 'draining' && this.#live.size === 0 && this.#outbox.size === 0) return;
    this.#endTaking({ name: 'stopping', reason, handsOut });
    this.#endAttempts(over);
    this.#scheduler.ended?.(false);
  }

  /** Takes nothing from the source any more. */
  #endTaking(phase: Exclude<Phase, { name: 'running' }>): void {
    if (this.#phase.name === 'running') this.#scheduler.close();
    this.#phase = phase;
    this.#wakeFeeder();
    this.#outbox.wake();
  }

  #endAttempts(over: ArtError): void {
    this.#over.abort(over);
    for (const { rollout } of this.#live.keys()) rollout?.end(over);
  }

  #on(signal: AbortSignal | undefined, act: () => void): void {
    if (signal?.aborted === true) act();
    else signal?.addEventListener('abort', act, { once: true, signal: this.#deaf.signal });
  }

  #letGo(): void {
    this.#deaf.abort();
    this.#cancelDeadline();
  }

  #detach(reason: unknown): void {
    const detached = new ArtError({
      code: 'ART_ROLLOUT_DETACHED',
      message: 'The run was left with its sessions at work. Resume it from its journal.',
      cause: reason,
    });
    this.#beginStopping(reason, detached);
  }

  /** Nothing may be started that is not written down. What runs is finished, unless another process has it now. */
  #endWithoutRecord(failure: ArtError): void {
    if (failure.code === 'ART_JOURNAL_LOST') {
      this.#beginStopping(failure, failure);
      return;
    }
    if (this.#phase.name === 'stopping') return;
    this.#endTaking({ name: 'draining', cause: 'failed', failure });
    this.#over.abort(failure);
  }

  #expire(batchTimeoutMs: number): void {
    if (this.#phase.name === 'running') this.#endTaking({ name: 'draining', cause: 'expired' });
    const message = `No result within the ${batchTimeoutMs} ms of the batch. Raise batchTimeoutMs, or give it less to do.`;
    this.#endAttempts(new ArtError({ code: 'ART_ROLLOUT_TIMEOUT', message }));
  }

  async #feed(): Promise<void> {
    while (this.#phase.name === 'running') {
      if (!this.#hasRoom) {
        await new Promise<void>((resolve) => {
          this.#wakeFeeder = resolve;
        });
        continue;
      }
      let next: Attempt | undefined;
      try {
        const isIdle = this.#live.size === 0;
        next = await this.#outbox.whileTaking(() => this.#scheduler.next(), isIdle, this.#parts.clock);
      } catch (failure) {
        this.#drain({ name: 'draining', cause: 'failed', failure });
        return;
      }
      // Stopping may have begun while the source was being waited for.
      if ((this.#phase as Phase).name !== 'running') return;
      if (next === undefined) this.#drain({ name: 'draining', cause: 'ended' });
      else this.#live.set(next, this.#make(next));
    }
  }

  get #hasRoom(): boolean {
    return this.#live.size < this.#limit.current && this.#unsent.size < mostUnsent && this.#scheduler.hasRoom;
  }

  #drain(phase: Extract<Phase, { name: 'draining' }>): void {
    if (this.#phase.name === 'running') this.#phase = phase;
    this.#outbox.wake();
  }

  /** Makes an attempt, and those that follow it in its place among the sessions. */
  async #make(attempt: Attempt): Promise<void> {
    this.#progress.submitted();
    this.#unsent.add(attempt);
    const first = attempt.run(this.#parts, this.#attemptRun);
    this.#reportProgress();
    let end = await first;
    this.#sent(attempt);
    for (;;) {
      const number = await this.#nextNumber(attempt, end);
      if (number === undefined) break;
      attempt.renew(number, end);
      end = await attempt.run(this.#parts, this.#attemptRun);
    }
    this.#deliver(attempt, end);
    await end.rollout?.finished;
    this.#live.delete(attempt);
    this.#wakeFeeder();
    this.#outbox.wake();
  }

  #sent(attempt: Attempt): void {
    if (this.#unsent.delete(attempt)) this.#wakeFeeder();
  }

  /** The number of the attempt that follows in the place of one, once it is due. */
  async #nextNumber(attempt: Attempt, end: AttemptEnd): Promise<number | undefined> {
    const { signal } = this.#over;
    if (signal.aborted) return undefined;
    const retry = attempt.purpose.retry(attempt, end);
    if (retry === undefined) return undefined;
    // The session of the attempt before must be gone first: the limit is on sessions alive.
    await end.rollout?.finished;
    await pause(retry.afterMs, { clock: this.#parts.clock, signal }).catch(() => undefined);
    return signal.aborted ? undefined : retry.number;
  }

  #deliver(attempt: Attempt, end: AttemptEnd): void {
    this.#progress.settled(end.outcome);
    this.#missingReward.look(attempt.index, end);
    // Who stops wants no more; a resume will hand it out.
    if (this.#phase.name !== 'stopping') attempt.purpose.settled(attempt, end);
    this.#failFast(this.#failures.itemEnded(end.outcome, end.resultKey !== undefined));
    this.#outbox.wake();
    this.#reportProgress();
  }

  readonly #onSharedEvent = (event: RolloutEvent): void => {
    if (event.type === 'throttled' || event.type === 'quota_paused')
      this.#limit.throttled(this.#parts.clock.nowMs());
    this.#options.onEvent?.(event);
  };

  readonly #onRolloutEvent: RolloutListener = (event) => {
    if (event.type === 'accepted') this.#limit.accepted();
    if (event.type === 'accepted' || event.type === 'adopted') {
      this.#failures.started();
      this.#release();
    }
    this.#options.onEvent?.(event);
    if (event.type === 'settled') this.#failFast(this.#failures.attemptEnded(event.outcome));
  };

  #failFast(failure: ArtError | undefined): void {
    if (failure === undefined || this.#phase.name === 'stopping') return;
    this.#beginStopping(failure, rolloutCancelled(failure), true);
  }

  /** A session has started, or it is certain that this does not matter: nothing needs to be held back any more. */
  #release(): void {
    if (this.#phase.name !== 'stopping') this.#outbox.release();
  }

  #handOutRest(): void {
    const handsOut = this.#phase.name === 'draining' && this.#phase.cause !== 'failed';
    this.#scheduler.ended?.(handsOut);
    this.#outbox.release();
  }

  #reportProgress(): void {
    this.#scheduler.onProgress(this.#progress.snapshot(this.#limit.current));
  }
}
