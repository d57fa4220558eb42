import type { RolloutEvent } from '../lifecycle/rollout-event.ts';

/** Options of `client.events`. */
export interface EventsOptions {
  /** Events that may wait for the reader. @default 10_000 */
  capacity?: number | undefined;
  /** Ends the iterable. */
  signal?: AbortSignal | undefined;
}

/** Stands for events that were dropped because nobody took them in time. */
export interface DroppedEvents {
  type: 'dropped';
  count: number;
  atMs: number;
}

/**
 * Events for one reader, in order. It never holds the rollouts up: a reader that is too slow finds a `dropped` event in
 * place of the oldest ones.
 */
export class EventStream implements AsyncIterableIterator<RolloutEvent | DroppedEvents> {
  readonly #capacity: number;
  readonly #onEnd: () => void;
  #waiting: (RolloutEvent | DroppedEvents)[] = [];
  #dropped = 0;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(capacity: number, onEnd: () => void) {
    this.#capacity = capacity;
    this.#onEnd = onEnd;
  }

  push(event: RolloutEvent): void {
    this.#waiting.push(event);
    // Halving at once keeps the cost of dropping constant per event.
    if (this.#waiting.length > this.#capacity) {
      const surplus = Math.ceil(this.#capacity / 2);
      this.#waiting = this.#waiting.slice(surplus);
      this.#dropped += surplus;
    }
    this.#wake();
  }

  /** Ends the stream. Events that wait can still be read. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
    this.#wake();
  }

  async next(): Promise<IteratorResult<RolloutEvent | DroppedEvents, undefined>> {
    for (;;) {
      if (this.#dropped > 0) {
        const value: DroppedEvents = { type: 'dropped', count: this.#dropped, atMs: this.#waiting[0]!.atMs };
        this.#dropped = 0;
        return { done: false, value };
      }
      const value = this.#waiting.shift();
      if (value !== undefined) return { done: false, value };
      if (this.#isOver) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  return(): Promise<IteratorResult<RolloutEvent | DroppedEvents, undefined>> {
    this.#waiting = [];
    this.#dropped = 0;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
