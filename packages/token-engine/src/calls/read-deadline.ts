import { type Clock, linkSignals, type LinkedSignal, systemClock } from '@art/async';

/** A signal that follows another one, and besides aborts when nothing has come for too long. */
export class ReadDeadline {
  readonly #linked: LinkedSignal;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;
  #isOver = false;

  /** @param timeoutMs 0 for as long as it likes */
  constructor(outer: AbortSignal, timeoutMs: number, clock: Clock = systemClock) {
    this.#linked = linkSignals(outer);
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
    this.refresh();
  }

  get signal(): AbortSignal {
    return this.#linked.signal;
  }

  /** Whether it was the time that ran out. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Something has come. */
  refresh(): void {
    this.#cancel?.();
    if (this.#timeoutMs <= 0 || this.signal.aborted) return;
    this.#cancel = this.#clock.after(this.#timeoutMs, () => {
      this.#isOver = true;
      this.#linked.abort(new Error(`Nothing came for ${this.#timeoutMs} ms.`));
    });
  }

  /** No more is waited for. */
  end(): void {
    this.#cancel?.();
    this.#linked.unlink();
  }
}
