import { callWithin } from '@art/ground';

/** Tells anyone who waits that something has changed, so that they look again. */
export class Changes {
  #next = Promise.withResolvers<void>();

  notify(): void {
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers();
    resolve();
  }

  /** Waits until a condition holds. @throws the signal's reason */
  async until(condition: () => boolean, signal?: AbortSignal): Promise<void> {
    while (!condition()) await callWithin(() => this.#next.promise, { signal });
  }
}
