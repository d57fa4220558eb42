import type { Turn } from '../turn.ts';
import { MessageKeys } from './message-keys.ts';

interface Place {
  next: Map<number, Place>;
  /** The turns whose conversation, answer included, ends here; oldest first. */
  turns: Turn[];
}

/** Finds the turn that a conversation goes on from by its texts, whatever became of its tokens. */
export class MessageLineage {
  readonly #keys = new MessageKeys();
  readonly #root: Place = { next: new Map(), turns: [] };

  /** The latest turn whose messages and answer are the longest beginning of this one's messages; reasoning does not count. */
  parentOf(turn: Turn): Turn | undefined {
    let place: Place | undefined = this.#root;
    let parent: Turn | undefined;
    for (const { id } of this.#keys.request(turn.trace, false)) {
      place = place.next.get(id);
      if (place === undefined) break;
      parent = place.turns.at(-1) ?? parent;
    }
    return parent;
  }

  add(turn: Turn): void {
    let place = this.#root;
    const response = this.#keys.response(turn.trace, false);
    for (const { id } of [...this.#keys.request(turn.trace, false), response]) {
      let next = place.next.get(id);
      if (next === undefined) {
        next = { next: new Map(), turns: [] };
        place.next.set(id, next);
      }
      place = next;
    }
    place.turns.push(turn);
  }
}
