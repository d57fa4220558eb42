const rememberedIds = 100_000;

/** Numbers session ids in the order in which they appear, so that a plan can name a session before it has an id. */
export class SessionNumbers {
  readonly #numbers = new Map<string, number>();
  #next = 0;

  /** The number of an id, which gets one where it has none. */
  give(agent: string, sessionId: string): number {
    const known = this.find(agent, sessionId);
    if (known !== undefined) return known;
    const number = this.#next;
    this.#next += 1;
    this.#numbers.set(`${agent} ${sessionId}`, number);
    const [oldest] = this.#numbers.keys();
    if (this.#numbers.size > rememberedIds) this.#numbers.delete(oldest!);
    return number;
  }

  find(agent: string, sessionId: string): number | undefined {
    return this.#numbers.get(`${agent} ${sessionId}`);
  }
}
