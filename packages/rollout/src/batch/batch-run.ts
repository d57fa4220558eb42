import { ArtError } from '@art/protocol';
import type { RolloutChoices } from '../client/rollout-choices.ts';
import type { Clock } from '../clock.ts';
import type { Rollout, RolloutListener } from '../lifecycle/rollout.ts';
import { outcomeOfFailure } from '../lifecycle/outcome-of-failure.ts';
import type { RolloutEvent } from '../rollout-event.ts';
import { AdaptiveLimit } from './adaptive-limit.ts';
import type { BatchItem } from './batch-item.ts';
import type { BatchOptions, Payload, PayloadSource } from './batch-options.ts';
import { BatchProgressCounter } from './batch-progress.ts';

/** What a batch needs of its client. */
export interface BatchParts {
  clock: Clock;
  /** @throws ArtError when the payload cannot be sent. */
  start: (payload: unknown, choices: RolloutChoices, index: number, onEvent: RolloutListener) => Rollout;
}

type Phase =
  | { name: 'running' }
  /** The source has ended, or failed: what runs is finished, then the failure is thrown. */
  | { name: 'draining'; failure?: unknown }
  | { name: 'stopping'; reason: unknown };

/**
 * One batch: feeds payloads to the runtime while there is room, and hands settled items to the consumer. Feeding, work and
 * consumer never wait for one another except for room: `maxConcurrentSessions` sessions, `maxBufferedItems` unread items.
 */
export class BatchRun<P extends Payload = Payload> {
  readonly #source: Iterator<P> | AsyncIterator<P>;
  readonly #options: BatchOptions<P>;
  readonly #parts: BatchParts;
  readonly #live = new Set<Rollout>();
  readonly #ready: BatchItem[] = [];
  readonly #progress = new BatchProgressCounter();
  readonly #limit: AdaptiveLimit;
  readonly #startedMs: number;
  #phase: Phase = { name: 'running' };
  #wakeConsumer: () => void = () => undefined;
  #wakeFeeder: () => void = () => undefined;
  #removeAbortListener: () => void = () => undefined;
  #cancelDeadline: () => void = () => undefined;

  constructor(payloads: PayloadSource<P>, options: BatchOptions<P>, parts: BatchParts) {
    this.#source =
      Symbol.asyncIterator in payloads ? payloads[Symbol.asyncIterator]() : payloads[Symbol.iterator]();
    this.#options = options;
    this.#parts = parts;
    this.#limit = new AdaptiveLimit(options.maxConcurrentSessions, options.adaptiveConcurrency);
    this.#startedMs = parts.clock.nowMs();
  }

  /** Passes on what concerns the store or the runtime as a whole. */
  readonly onSharedEvent = (event: RolloutEvent): void => {
    if (event.type === 'throttled' || event.type === 'quota_paused')
      this.#limit.throttled(this.#parts.clock.nowMs());
    this.#options.onEvent?.(event);
  };

  begin(): void {
    const { signal } = this.#options;
    if (signal !== undefined) {
      const onAbort = (): void => void this.stop(signal.reason);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      this.#removeAbortListener = () => signal.removeEventListener('abort', onAbort);
    }
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
      if (this.#phase.name === 'stopping') {
        await this.stop(this.#phase.reason);
        throw this.#phase.reason;
      }
      const item = this.#ready.shift();
      if (item !== undefined) {
        this.#wakeFeeder();
        return item;
      }
      if (this.#phase.name === 'draining' && this.#live.size === 0) {
        if ('failure' in this.#phase) throw this.#phase.failure;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wakeConsumer = resolve;
      });
    }
  }

  /** Gives up everything outstanding; resolves when every session was told to stop. */
  async stop(reason: unknown): Promise<void> {
    if (this.#phase.name !== 'stopping' && !(this.#phase.name === 'draining' && this.#live.size === 0)) {
      if (this.#phase.name === 'running') this.#closeSource();
      this.#phase = { name: 'stopping', reason };
      for (const rollout of this.#live) rollout.cancel(reason);
      this.#wakeFeeder();
      this.#wakeConsumer();
    }
    this.#removeAbortListener();
    this.#cancelDeadline();
    await Promise.all([...this.#live].map((rollout) => rollout.finished));
  }

  async #feed(): Promise<void> {
    for (let index = 0; this.#phase.name === 'running'; index += 1) {
      if (!this.#hasRoom) {
        await new Promise<void>((resolve) => {
          this.#wakeFeeder = resolve;
        });
        index -= 1;
        continue;
      }
      let next: IteratorResult<P>;
      try {
        next = await this.#source.next();
      } catch (failure) {
        this.#drain({ name: 'draining', failure });
        return;
      }
      // Stopping may have begun while the source was being waited for.
      if ((this.#phase as Phase).name !== 'running') return;
      if (next.done === true) this.#drain({ name: 'draining' });
      else this.#start(next.value, index);
    }
  }

  #expire(batchTimeoutMs: number): void {
    if (this.#phase.name === 'running') {
      this.#closeSource();
      this.#drain({ name: 'draining' });
      this.#wakeFeeder();
    }
    for (const rollout of this.#live) rollout.expire(batchTimeoutMs);
  }

  // A source that hangs must not hold the end up, and what it throws when closed concerns nobody any more.
  #closeSource(): void {
    void Promise.resolve(this.#source.return?.()).catch(() => undefined);
  }

  #drain(phase: Extract<Phase, { name: 'draining' }>): void {
    if (this.#phase.name === 'running') this.#phase = phase;
    this.#wakeConsumer();
  }

  get #hasRoom(): boolean {
    const { maxConcurrentSessions, maxBufferedItems = maxConcurrentSessions } = this.#options;
    return this.#live.size < this.#limit.current && this.#ready.length < maxBufferedItems;
  }

  #start(payload: P, index: number): void {
    const { clock } = this.#parts;
    const choices: RolloutChoices = {};
    let rollout: Rollout;
    this.#progress.submitted();
    try {
      choices.inputId = this.#options.inputId?.(payload, index);
      choices.sessionId = this.#options.sessionId?.(payload, index);
      choices.overrides = this.#options.overrides?.(payload, index);
      rollout = this.#parts.start(payload, choices, index, (event) => {
        if (event.type === 'accepted') this.#limit.accepted();
        this.#options.onEvent?.(event);
      });
    } catch (error) {
      this.#yieldRejected(error, choices, index);
      return;
    }
    this.#live.add(rollout);
    const timeoutMs = this.#options.timeoutMs ?? 900_000;
    const cancelDeadline = clock.after(timeoutMs, () => rollout.expire(timeoutMs));
    void rollout.settled.then((outcome) => {
      cancelDeadline();
      const { inputId, sessionId, resultKey } = rollout.request;
      this.#deliver({ index, inputId, sessionId, resultKey, outcome, timings: rollout.timings });
    });
    void rollout.finished.then(() => {
      this.#live.delete(rollout);
      this.#wakeFeeder();
      this.#wakeConsumer();
    });
    this.#reportProgress();
  }

  #yieldRejected(error: unknown, choices: RolloutChoices, index: number): void {
    const asArtError = ArtError.isInstance(error)
      ? error
      : new ArtError({
          code: 'ART_INVALID_PAYLOAD',
          message: `Payload ${index} could not be prepared: ${error instanceof Error ? error.message : String(error)}`,
          cause: error,
        });
    this.#deliver({
      index,
      inputId: choices.inputId ?? '',
      sessionId: choices.sessionId ?? '',
      resultKey: undefined,
      outcome: outcomeOfFailure(asArtError),
      timings: {
        submittedAtMs: this.#parts.clock.epochMs(),
        acceptedMs: undefined,
        noticedMs: undefined,
        settledMs: 0,
      },
    });
  }

  #deliver(item: BatchItem): void {
    this.#progress.settled(item.outcome);
    this.#ready.push(item);
    this.#wakeConsumer();
    this.#reportProgress();
  }

  #reportProgress(): void {
    this.#options.onProgress?.(
      this.#progress.snapshot(this.#parts.clock.nowMs() - this.#startedMs, this.#limit.current),
    );
  }
}
