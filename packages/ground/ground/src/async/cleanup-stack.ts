/**
 * Closes what was opened, the last opened first: the standard's `AsyncDisposableStack`, which Node 22 does not have.
 * `await using` it, and `move()` what was opened out of it once all has gone well.
 */
export class CleanupStack implements AsyncDisposable {
  #cleanups: (() => unknown)[] = [];

  use<Resource extends AsyncDisposable>(resource: Resource): Resource {
    this.defer(() => resource[Symbol.asyncDispose]());
    return resource;
  }

  defer(cleanup: () => unknown): void {
    this.#cleanups.push(cleanup);
  }

  /** Hands everything over to a new stack; this one closes nothing any more. */
  move(): CleanupStack {
    const moved = new CleanupStack();
    moved.#cleanups = this.#cleanups;
    this.#cleanups = [];
    return moved;
  }

  /** Closes everything, also after one has failed. @throws what failed first */
  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = [];
    for (const cleanup of this.#cleanups.splice(0).toReversed()) {
      try {
        await cleanup();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  disposeAsync(): Promise<void> {
    return this[Symbol.asyncDispose]();
  }
}
