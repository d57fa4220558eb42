export interface UpkeepOptions {
  clock: Clock;
  /** From the end of one round to the next. */
  intervalMs: number;
  /** One round. Never rejects. */
  work: () => Promise<void>;
  /** No round begins after it has aborted. */
  until: AbortSignal;
}

/** What the holder of a run does every so often, beside its records: signs of life, forced writes. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  #cancelTimer: () => void = () => undefined;
  #round: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#plan();
  }

  /** Resolves when the round that is under way is over; no other follows. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    return this.#round;
  }

  #plan(): void {
    const { clock, intervalMs, work, until } = this.#options;
    this.#cancelTimer = clock.after(intervalMs, () => {
      this.#round = work();
      void this.#round.then(() => {
        if (!this.#isStopped && !until.aborted) this.#plan();
      });
    });
  }
}
import type { Clock } from '@art/async';
