import type { Turn } from './turn.ts';
import { MessageKeys } from '../messages/message-keys.ts';

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
    for (const message of turn.trace.messages) {
      const { id } = this.#keys.unthought(message);
      place = place.next.get(id);
      if (place === undefined) break;
      parent = place.turns.at(-1) ?? parent;
    }
    return parent;
  }

  add(turn: Turn): void {
    let place = this.#root;
    for (const message of [...turn.trace.messages, turn.trace.responseMessage]) {
      const { id } = this.#keys.unthought(message);
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
