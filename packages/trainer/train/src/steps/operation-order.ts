/**
 * Sends the operations of a session in the order in which they were called: the next one leaves when the one before was accepted. Services
 * that order by number take them in any order; servers that do not still train right.
 */
export class OperationOrder {
  #last: Promise<unknown> = Promise.resolve();
  #next: number;
  #failure: Error | undefined;

  /** @param first number of the first operation */
  constructor(first = 1) {
    this.#next = first;
  }

  /**
   * Fixes the place of an operation now.
   * @param send resolves when the service has accepted the operation under this number
   * @returns what `send` resolves to; rejects for this and all later operations once one was not accepted
   */
  submit<T>(send: (number: number) => Promise<T>): Promise<T> {
    const number = this.#next;
    this.#next += 1;
    const sent = this.#last.then(() => {
      if (this.#failure !== undefined) throw this.#failure;
      return send(number);
    });
    this.#last = sent;
    // The caller hears of the failure by what is returned; the order only hands it on.
    sent.catch(() => undefined);
    return sent;
  }

  /** Lets all operations fail that have not been sent: one that was accepted has failed, and they would train from other weights. */
  fail(error: Error): void {
    this.#failure ??= error;
  }
}
