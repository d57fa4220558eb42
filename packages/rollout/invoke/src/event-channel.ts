/** One listener of a channel. */
export interface Subscription<T> {
  /** Tells this listener alone. */
  emit(event: T): void;
  end(): void;
}

/** Hands events to listeners. A listener that throws is reported as a process warning and disturbs nobody else. */
export class EventChannel<T> {
  readonly #subscriptions = new Set<Subscription<T>>();

  subscribe(listener: (event: T) => void): Subscription<T> {
    const subscription: Subscription<T> = {
      emit: (event) => {
        try {
          listener(event);
        } catch (error) {
          process.emitWarning(`An \`onEvent\` listener failed: ${String(error)}`, 'ArtListenerWarning');
        }
      },
      end: () => this.#subscriptions.delete(subscription),
    };
    this.#subscriptions.add(subscription);
    return subscription;
  }

  emit(event: T): void {
    for (const subscription of this.#subscriptions) subscription.emit(event);
  }
}
