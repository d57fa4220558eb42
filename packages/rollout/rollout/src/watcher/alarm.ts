import type { Clock } from '@art/ground';

/** One timer, set to an instant; setting it anew forgets what it was set to. */
export class Alarm {
  readonly #clock: Clock;
  #set: { atMs: number; cancel: () => void } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The time it is set to, in monotonic milliseconds; `Infinity` if it is not set. */
  get atMs(): number {
    return this.#set?.atMs ?? Number.POSITIVE_INFINITY;
  }

  set(atMs: number, ring: () => void): void {
    this.#set?.cancel();
    const cancel = this.#clock.after(Math.max(0, atMs - this.#clock.nowMs()), () => {
      this.#set = undefined;
      ring();
    });
    this.#set = { atMs, cancel };
  }

  cancel(): void {
    this.#set?.cancel();
    this.#set = undefined;
  }
}
