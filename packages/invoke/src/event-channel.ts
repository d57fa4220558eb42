/** Hands events to listeners. A listener that throws is reported as a process warning and disturbs nobody else. */
export class EventChannel<T> {
  readonly #listeners = new Set<(event: T) => void>();

  /** @returns a function that removes the listener again */
  subscribe(listener: (event: T) => void): () => void {
    // Wrapped, so that one function subscribed twice is two subscriptions.
    const entry = (event: T): void => listener(event);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  emit(event: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        process.emitWarning(`An \`onEvent\` listener failed: ${String(error)}`, 'ArtListenerWarning');
      }
    }
  }
}
