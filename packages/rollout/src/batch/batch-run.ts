import type { Indexed, IndexedSource } from '@art/journal';
import { ArtError } from '@art/protocol';
import { isFailedStart } from '../lifecycle/is-failed-start.ts';
import type { RolloutListener } from '../lifecycle/rollout.ts';
import type { RolloutEvent } from '../rollout-event.ts';
import { AdaptiveLimit } from './adaptive-limit.ts';
import type { BatchItem } from './batch-item.ts';
import type { BatchOptions, Payload } from './batch-options.ts';
import { BatchProgressCounter } from './batch-progress.ts';
import type { AttemptRecord } from './batch-record.ts';
import { FailureWatch } from './failure-watch.ts';
import { PayloadRun, type PayloadRunParts } from './payload-run.ts';
import { rewardWarning } from './reward-warning.ts';
import { defaultRetryDelayMs, resolveRetryPolicy } from './retry-policy.ts';

/** What a batch needs of its client. */
export interface BatchParts extends Pick<PayloadRunParts, 'clock' | 'start' | 'dropCapture'> {
  /** Tells the operator of what an item alone would not make noticed. */
  warn: (message: string) => void;
  /** @default nothing is written down */
  record?: AttemptRecord | undefined;
  /**
   * Whether items whose sessions failed to start are kept back until one has started, or the batch has ended: what was handed
   * out counts as dealt with, and a resume would not try it again. @default false
   */
  keepsBack?: boolean | undefined;
}

type Phase =
  | { name: 'running' }
  /** Nothing new is started: what runs is finished, then the failure is thrown, where there is one. */
  | { name: 'draining'; cause: 'ended' | 'expired' }
  | { name: 'draining'; cause: 'failed'; failure: unknown }
  /** `handsOut`: what was settled before is handed out first. */
  | { name: 'stopping'; reason: unknown; handsOut: boolean };

const slowSourceMs = 100;

/**
 * One batch: feeds payloads to the runtime while there is room, and hands settled items to the consumer. Feeding, work and
 * consumer never wait for one another except for room: `maxConcurrentSessions` sessions, `maxBufferedItems` unread items.
 */
export class BatchRun<P extends Payload = Payload> {
  readonly #source: IndexedSource<P>;
  readonly #options: BatchOptions<P>;
  readonly #parts: BatchParts;
  readonly #payloadParts: PayloadRunParts;
  readonly #live = new Set<PayloadRun>();
  readonly #ready: BatchItem[] = [];
  readonly #progress = new BatchProgressCounter();
  readonly #limit: AdaptiveLimit;
  readonly #startedMs: number;
  readonly #failures: FailureWatch;
  readonly #keptBack: BatchItem[] = [];
  readonly #warnOfReward: (item: BatchItem) => void;
  #phase: Phase = { name: 'running' };
  #wakeConsumer: () => void = () => undefined;
  #wakeFeeder: () => void = () => undefined;
  #removeListeners: () => void = () => undefined;
  #cancelDeadline: () => void = () => undefined;

  constructor(source: IndexedSource<P>, options: BatchOptions<P>, parts: BatchParts) {
    this.#source = source;
    this.#options = options;
    this.#parts = parts;
    this.#limit = new AdaptiveLimit(options.maxConcurrentSessions, options.adaptiveConcurrency);
    this.#startedMs = parts.clock.nowMs();
    this.#failures = new FailureWatch(options.maxFailures);
    this.#warnOfReward = rewardWarning(parts.warn);
    this.#payloadParts = {
      clock: parts.clock,
      start: parts.start,
      dropCapture: parts.dropCapture,
      choose: (payload, index, attempt) => ({
        inputId: options.inputId?.(payload as P, index),
        sessionId: options.sessionId?.(payload as P, index, attempt),
        overrides: options.overrides?.(payload as P, index, attempt),
      }),
      record: parts.record,
      retries: resolveRetryPolicy(options.retry),
      retryDelayMs: options.retryDelayMs ?? defaultRetryDelayMs,
      timeoutMs: options.timeoutMs ?? 900_000,
      onEvent: this.#onRolloutEvent,
    };
  }

  /** Whether the source has ended and every item was handed out. */
  get isComplete(): boolean {
    return this.#phase.name === 'draining' && this.#phase.cause === 'ended' && this.#ready.length === 0;
  }

  /** Passes on what concerns the store or the runtime as a whole. */
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

  /**
   * The next settled item; undefined when the batch is over and every session was stopped.
   * @throws the source's error, or the reason of the stop.
   */
  async next(): Promise<BatchItem | undefined> {
    for (;;) {
      const isOver = this.#phase.name === 'draining' && this.#live.size === 0;
      if (isOver || !this.#failures.isUndecided) this.#releaseKeptBack();
      const stopping = this.#phase.name === 'stopping' ? this.#phase : undefined;
      const item = stopping?.handsOut === false ? undefined : this.#ready.shift();
      if (item !== undefined) {
        this.#wakeFeeder();
        return item;
      }
      if (stopping !== undefined) {
        await this.stop(stopping.reason);
        throw stopping.reason;
      }
      if (this.#phase.name === 'draining' && isOver) {
        this.#removeListeners();
        this.#cancelDeadline();
        if (this.#phase.cause === 'failed') throw this.#phase.failure;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wakeConsumer = resolve;
      });
    }
  }

  /** Gives up everything outstanding; resolves when every session was told to stop. */
  async stop(reason: unknown): Promise<void> {
    this.#beginStopping(reason, (run) => run.cancel(reason));
    this.#removeListeners();
    this.#cancelDeadline();
    await Promise.all([...this.#live].map((run) => run.finished));
  }

  #beginStopping(reason: unknown, end: (run: PayloadRun) => void, handsOut = false): void {
    if (this.#phase.name === 'stopping') return;
    // What is over cannot be stopped any more. Items that still wait are given up: whoever stops wants no more of them.
    if (this.#phase.name === 'draining' && this.#live.size === 0 && this.#ready.length === 0) return;
    if (this.#phase.name === 'running') this.#source.close();
    this.#phase = { name: 'stopping', reason, handsOut };
    for (const run of this.#live) end(run);
    this.#wakeFeeder();
    this.#wakeConsumer();
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

  #detach(reason: unknown): void {
    const detached = new ArtError({
      code: 'ART_ROLLOUT_DETACHED',
      message: 'The run was left with its sessions at work. Resume it from its journal.',
      cause: reason,
    });
    this.#beginStopping(reason, (run) => run.abandon(detached));
  }

  /** Nothing may be started that is not written down. What runs is finished, unless another process has it now. */
  #endWithoutRecord(failure: ArtError): void {
    if (failure.code === 'ART_JOURNAL_LOST') {
      this.#beginStopping(failure, (run) => run.abandon(failure));
      return;
    }
    if (this.#phase.name === 'stopping') return;
    if (this.#phase.name === 'running') this.#source.close();
    this.#phase = { name: 'draining', cause: 'failed', failure };
    for (const run of this.#live) run.endWithThisAttempt(failure);
    this.#wakeFeeder();
    this.#wakeConsumer();
  }

  async #feed(): Promise<void> {
    while (this.#phase.name === 'running') {
      if (!this.#hasRoom) {
        await new Promise<void>((resolve) => {
          this.#wakeFeeder = resolve;
        });
        continue;
      }
      let next;
      try {
        next = await this.#takeNext();
      } catch (failure) {
        this.#drain({ name: 'draining', cause: 'failed', failure });
        return;
      }
      // Stopping may have begun while the source was being waited for.
      if ((this.#phase as Phase).name !== 'running') return;
      if (next === undefined) {
        this.#parts.record?.sourceEnded(this.#source.seen);
        this.#drain({ name: 'draining', cause: 'ended' });
      } else {
        this.#start(next.value, next.index);
      }
    }
  }

  #expire(batchTimeoutMs: number): void {
    if (this.#phase.name === 'running') {
      this.#source.close();
      this.#drain({ name: 'draining', cause: 'expired' });
      this.#wakeFeeder();
    }
    for (const run of this.#live) run.expire(batchTimeoutMs);
  }

  #drain(phase: Extract<Phase, { name: 'draining' }>): void {
    if (this.#phase.name === 'running') this.#phase = phase;
    this.#wakeConsumer();
  }

  get #hasRoom(): boolean {
    const { maxConcurrentSessions, maxBufferedItems = maxConcurrentSessions } = this.#options;
    return this.#live.size < this.#limit.current && this.#ready.length < maxBufferedItems;
  }

  readonly #onRolloutEvent: RolloutListener = (event) => {
    if (event.type === 'accepted') this.#limit.accepted();
    if (event.type === 'accepted' || event.type === 'adopted') {
      this.#failures.started();
      this.#releaseKeptBack();
    }
    this.#options.onEvent?.(event);
    if (event.type === 'settled') this.#failFast(this.#failures.attemptEnded(event.outcome));
  };

  #start(payload: P, index: number): void {
    this.#progress.submitted();
    const run = new PayloadRun(payload, index, this.#payloadParts);
    this.#live.add(run);
    void run.settled.then((item) => this.#deliver(item));
    void run.finished.then(() => {
      this.#live.delete(run);
      this.#wakeFeeder();
      this.#wakeConsumer();
    });
    this.#reportProgress();
  }

  #deliver(item: BatchItem): void {
    this.#progress.settled(item.outcome);
    this.#warnOfReward(item);
    // Who stops wants no more; a resume will hand it out.
    if (this.#phase.name !== 'stopping') this.#handOut(item);
    this.#failFast(this.#failures.itemEnded(item.outcome, item.resultKey !== undefined));
    this.#wakeConsumer();
    this.#reportProgress();
  }

  #handOut(item: BatchItem): void {
    const { outcome } = item;
    const isFailedStartOf = outcome.kind !== 'ok' && isFailedStart(outcome.error.code);
    if (this.#parts.keepsBack === true && isFailedStartOf && this.#failures.isUndecided)
      this.#keptBack.push(item);
    else this.#ready.push(item);
  }

  #releaseKeptBack(): void {
    if (this.#keptBack.length === 0 || this.#phase.name === 'stopping') return;
    this.#ready.push(...this.#keptBack.splice(0));
    this.#wakeConsumer();
  }

  /** A source that waits for what comes of earlier payloads must not wait for what is kept back. */
  async #takeNext(): Promise<Indexed<P> | undefined> {
    if (this.#keptBack.length === 0 || this.#live.size > 0) return await this.#source.next();
    const cancel = this.#parts.clock.after(slowSourceMs, () => this.#releaseKeptBack());
    try {
      return await this.#source.next();
    } finally {
      cancel();
    }
  }

  #failFast(failure: ArtError | undefined): void {
    if (failure === undefined || this.#phase.name === 'stopping') return;
    this.#beginStopping(failure, (run) => run.cancel(failure), true);
  }

  #reportProgress(): void {
    this.#options.onProgress?.(
      this.#progress.snapshot(this.#parts.clock.nowMs() - this.#startedMs, this.#limit.current),
    );
  }
}
