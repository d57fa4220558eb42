import { pause } from '@art/async';
import { ArtError } from '@art/protocol';
import { rolloutCancelled } from '../lifecycle/rollout-cancelled.ts';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import type { Rollout, RolloutListener } from '../lifecycle/rollout.ts';
import { AdaptiveLimit } from './adaptive-limit.ts';
import type { Attempt, AttemptEnd, AttemptParts } from './attempt.ts';
import { BatchProgressCounter } from './batch-progress.ts';
import type { FailureWatch } from './failure-watch.ts';
import type { Outbox } from './outbox.ts';
import { rewardWarning, type RewardWarning } from './reward-warning.ts';
import type { RunOptions } from './run-options.ts';
import type { Run } from './run.ts';
import type { Scheduler } from './scheduler.ts';

/** What a run needs of its client. */
export interface PoolParts extends Pick<
  AttemptParts<unknown>,
  'clock' | 'live' | 'inputIdPrefix' | 'record'
> {
  /** Tells the operator of what an item alone would not make noticed. */
  warn: (message: string) => void;
}

export interface PoolInit<Item, Plan> {
  scheduler: Scheduler<Plan>;
  outbox: Outbox<Item>;
  failures: FailureWatch;
}

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
export class AttemptPool<Item, Plan> implements Run<Item> {
  readonly #scheduler: Scheduler<Plan>;
  readonly #outbox: Outbox<Item>;
  readonly #failures: FailureWatch;
  readonly #options: RunOptions;
  readonly #parts: PoolParts;
  readonly #attemptParts: AttemptParts<Plan>;
  /** Attempts whose sessions may be alive, with what resolves once they are gone. */
  readonly #live = new Map<Attempt<Plan>, Promise<void>>();
  readonly #progress = new BatchProgressCounter();
  readonly #limit: AdaptiveLimit;
  readonly #startedMs: number;
  readonly #warnOfReward: RewardWarning;
  /** Aborts when no further attempt is wanted. */
  readonly #over = new AbortController();
  #phase: Phase = { name: 'running' };
  #isDrained = false;
  #wakeFeeder: () => void = () => undefined;
  #removeListeners: () => void = () => undefined;
  #cancelDeadline: () => void = () => undefined;

  constructor({ scheduler, outbox, failures }: PoolInit<Item, Plan>, options: RunOptions, parts: PoolParts) {
    this.#scheduler = scheduler;
    this.#outbox = outbox;
    this.#failures = failures;
    this.#options = options;
    this.#parts = parts;
    this.#limit = new AdaptiveLimit(options.maxConcurrentSessions, options.adaptiveConcurrency);
    this.#startedMs = parts.clock.nowMs();
    this.#warnOfReward = rewardWarning(parts.warn);
    const { timeoutMs = 900_000 } = options;
    this.#attemptParts = { ...parts, scheduler, timeoutMs, onEvent: this.#onRolloutEvent };
  }

  get isComplete(): boolean {
    return this.#phase.name === 'draining' && this.#phase.cause === 'ended' && this.#outbox.size === 0;
  }

  readonly onSharedEvent = (event: RolloutEvent): void => {
    if (event.type === 'throttled' || event.type === 'quota_paused')
      this.#limit.throttled(this.#parts.clock.nowMs());
    this.#options.onEvent?.(event);
  };

  begin(): void {
    this.#listen();
    const { batchTimeoutMs } = this.#options;
    if (batchTimeoutMs !== undefined) {
      this.#cancelDeadline = this.#parts.clock.after(batchTimeoutMs, () => this.#expire(batchTimeoutMs));
    }
    void this.#feed();
  }

  /** @throws the source's error, or the reason of the stop. */
  async next(): Promise<Item | undefined> {
    for (;;) {
      const isOver = this.#phase.name === 'draining' && this.#live.size === 0;
      if (isOver) this.#tellDrained();
      if (isOver || !this.#failures.isUndecided) this.#release();
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

  async stop(reason: unknown): Promise<void> {
    this.#beginStopping(reason, rolloutCancelled(reason), (rollout) => rollout.cancel(reason));
    this.#letGo();
    await Promise.all(this.#live.values());
  }

  #beginStopping(reason: unknown, over: ArtError, end: (rollout: Rollout) => void, handsOut = false): void {
    if (this.#phase.name === 'stopping') return;
    // What is over cannot be stopped any more. Items that still wait are given up: whoever stops wants no more of them.
    if (this.#phase.name === 'draining' && this.#live.size === 0 && this.#outbox.size === 0) return;
    if (this.#phase.name === 'running') this.#scheduler.close();
    this.#phase = { name: 'stopping', reason, handsOut };
    this.#endAttempts(over, end);
    this.#scheduler.abandon?.();
    this.#wakeFeeder();
    this.#outbox.wake();
  }

  #endAttempts(over: ArtError, end?: (rollout: Rollout) => void): void {
    this.#over.abort(over);
    if (end !== undefined)
      for (const { rollout } of this.#live.keys()) if (rollout !== undefined) end(rollout);
  }

  #listen(): void {
    const { signal, detachSignal } = this.#options;
    const broken = this.#parts.record?.broken;
    const onAbort = (): void => void this.stop(signal?.reason);
    const onDetach = (): void => this.#detach(detachSignal?.reason);
    const onBroken = (): void => this.#endWithoutRecord(broken?.reason as ArtError);
    this.#removeListeners = () => {
      signal?.removeEventListener('abort', onAbort);
      detachSignal?.removeEventListener('abort', onDetach);
      broken?.removeEventListener('abort', onBroken);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    detachSignal?.addEventListener('abort', onDetach, { once: true });
    broken?.addEventListener('abort', onBroken, { once: true });
    if (broken?.aborted === true) onBroken();
    if (signal?.aborted === true) onAbort();
    if (detachSignal?.aborted === true) onDetach();
  }

  #letGo(): void {
    this.#removeListeners();
    this.#cancelDeadline();
  }

  #detach(reason: unknown): void {
    const detached = new ArtError({
      code: 'ART_ROLLOUT_DETACHED',
      message: 'The run was left with its sessions at work. Resume it from its journal.',
      cause: reason,
    });
    this.#beginStopping(reason, detached, (rollout) => rollout.abandon(detached));
  }

  /** Nothing may be started that is not written down. What runs is finished, unless another process has it now. */
  #endWithoutRecord(failure: ArtError): void {
    if (failure.code === 'ART_JOURNAL_LOST') {
      this.#beginStopping(failure, failure, (rollout) => rollout.abandon(failure));
      return;
    }
    if (this.#phase.name === 'stopping') return;
    if (this.#phase.name === 'running') this.#scheduler.close();
    this.#phase = { name: 'draining', cause: 'failed', failure };
    this.#endAttempts(failure);
    this.#wakeFeeder();
    this.#outbox.wake();
  }

  #expire(batchTimeoutMs: number): void {
    if (this.#phase.name === 'running') {
      this.#scheduler.close();
      this.#drain({ name: 'draining', cause: 'expired' });
      this.#wakeFeeder();
    }
    const over = new ArtError({
      code: 'ART_ROLLOUT_TIMEOUT',
      message: `No result within the ${batchTimeoutMs} ms of the batch.`,
    });
    this.#endAttempts(over, (rollout) => rollout.expire(batchTimeoutMs));
  }

  async #feed(): Promise<void> {
    while (this.#phase.name === 'running') {
      if (this.#live.size >= this.#limit.current || !this.#scheduler.hasRoom) {
        await new Promise<void>((resolve) => {
          this.#wakeFeeder = resolve;
        });
        continue;
      }
      let next: Attempt<Plan> | undefined;
      try {
        next = await this.#scheduler.next(this.#live.size === 0);
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

  #drain(phase: Extract<Phase, { name: 'draining' }>): void {
    if (this.#phase.name === 'running') this.#phase = phase;
    this.#outbox.wake();
  }

  /** Makes an attempt, and those that follow it in its place among the sessions. */
  async #make(attempt: Attempt<Plan>): Promise<void> {
    this.#progress.submitted();
    const first = attempt.run(this.#attemptParts, this.#over.signal);
    this.#reportProgress();
    let end = await first;
    while (await this.#goesOn(attempt, end)) {
      this.#scheduler.renew(attempt, end);
      end = await attempt.run(this.#attemptParts, this.#over.signal);
    }
    this.#deliver(attempt, end);
    await end.rollout?.finished;
    this.#live.delete(attempt);
    this.#wakeFeeder();
    this.#outbox.wake();
  }

  async #goesOn(attempt: Attempt<Plan>, end: AttemptEnd): Promise<boolean> {
    const { signal } = this.#over;
    if (signal.aborted) return false;
    const pauseMs = this.#scheduler.retryAfterMs(attempt, end);
    if (pauseMs === undefined) return false;
    // The session of the attempt before must be gone first: the limit is on sessions alive.
    await end.rollout?.finished;
    if (pauseMs > 0) await pause(pauseMs, { clock: this.#parts.clock, signal }).catch(() => undefined);
    return !signal.aborted;
  }

  #deliver(attempt: Attempt<Plan>, end: AttemptEnd): void {
    this.#progress.settled(end.outcome);
    this.#warnOfReward(attempt.index, end);
    // Who stops wants no more; a resume will hand it out.
    if (this.#phase.name !== 'stopping') this.#scheduler.settled(attempt, end);
    this.#failFast(this.#failures.itemEnded(end.outcome, end.resultKey !== undefined));
    this.#outbox.wake();
    this.#reportProgress();
  }

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
    this.#beginStopping(failure, rolloutCancelled(failure), (rollout) => rollout.cancel(failure), true);
  }

  #release(): void {
    if (this.#phase.name !== 'stopping') this.#scheduler.release?.();
  }

  #tellDrained(): void {
    if (this.#isDrained || this.#phase.name !== 'draining') return;
    this.#isDrained = true;
    if (this.#phase.cause === 'failed') this.#scheduler.abandon?.();
    else this.#scheduler.drained?.();
  }

  #reportProgress(): void {
    const elapsedMs = this.#parts.clock.nowMs() - this.#startedMs;
    this.#scheduler.onProgress(this.#progress.snapshot(elapsedMs, this.#limit.current));
  }
}
