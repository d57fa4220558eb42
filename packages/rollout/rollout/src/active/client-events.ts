import { aNumber, unchecked, optional, type OptionRules, readOptions } from '@art/ground';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import { EventStream, type EventsOptions } from './event-stream.ts';

const rules = {
  capacity: optional(aNumber({ min: 2, integer: true }), 10_000),
  signal: unchecked(),
} satisfies OptionRules<EventsOptions>;

/** The listeners for a client's events: its streams get all events, its runs get those of the store and the runtime. */
export class ClientEvents {
  readonly #streams = new Set<EventStream>();
  readonly #runs = new Set<(event: RolloutEvent) => void>();

  /** An event of the store or the runtime. */
  readonly broadcast = (event: RolloutEvent): void => {
    for (const listen of this.#runs) listen(event);
    this.emit(event);
  };

  /** An event of a rollout, of which its run knows. */
  readonly emit = (event: RolloutEvent): void => {
    for (const stream of this.#streams) stream.push(event);
  };

  /** Lets a run hear of the store and the runtime. @returns what ends it */
  join(onEvent: (event: RolloutEvent) => void): () => void {
    this.#runs.add(onEvent);
    return () => this.#runs.delete(onEvent);
  }

  /** @throws ArtError `ART_INVALID_OPTION` */
  stream(options: EventsOptions): EventStream {
    const { capacity, signal } = readOptions('events', options, rules);
    const end = (): void => stream.end();
    const stream = new EventStream(capacity, () => {
      this.#streams.delete(stream);
      signal?.removeEventListener('abort', end);
    });
    signal?.addEventListener('abort', end, { once: true });
    this.#streams.add(stream);
    if (signal?.aborted === true) stream.end();
    return stream;
  }

  end(): void {
    for (const stream of this.#streams) stream.end();
  }
}
