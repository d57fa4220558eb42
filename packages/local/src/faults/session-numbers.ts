import { BoundedMap } from '../service/bounded-map.ts';

const rememberedIds = 100_000;

/** Numbers session ids in the order in which they appear, so that a plan can name a session before it has an id. */
export class SessionNumbers {
  readonly #numbers = new BoundedMap<string, number>(rememberedIds);
  #next = 0;

  /** The number of an id, which gets one where it has none. */
  give(agent: string, sessionId: string): number {
    const name = `${agent} ${sessionId}`;
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#next;
    this.#next += 1;
    this.#numbers.set(name, number);
    return number;
  }

  find(agent: string, sessionId: string): number | undefined {
    return this.#numbers.get(`${agent} ${sessionId}`);
  }
}
