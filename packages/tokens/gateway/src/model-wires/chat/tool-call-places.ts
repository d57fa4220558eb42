/** A fragment's marks of the tool call that it belongs to. */
export interface ToolCallMark {
  index: number | undefined;
  id: string | undefined;
  /** True if it has the function's name, with which a call begins. */
  hasName: boolean;
}

/** Finds out which tool call of a streamed answer a fragment belongs to. */
export class ToolCallPlaces {
  /** The id of each call by its place; empty where none has come. */
  readonly #ids = new Map<number, string>();
  /** Where the calls of an index are now. */
  readonly #moved = new Map<number, number>();
  #last = 0;

  /** The place of its call among those of the answer: its index, as a rule. */
  placeOf({ index, id = '', hasName }: ToolCallMark): number {
    const place = index === undefined ? this.#withoutIndex(id) : this.#withIndex(index, id, hasName);
    this.#ids.set(place, this.#ids.get(place) || id);
    this.#last = place;
    return place;
  }

  // Ollama, Dynamo and Gemini's interface have been seen to number all calls 0: a head with another id is another call.
  #withIndex(index: number, id: string, hasName: boolean): number {
    const place = this.#moved.get(index) ?? index;
    const known = this.#ids.get(place) ?? '';
    if (known === '' || id === '' || id === known || !hasName) return place;
    const next = Math.max(...this.#ids.keys()) + 1;
    this.#moved.set(index, next);
    return next;
  }

  // Some engines leave the index out: a piece with an id that is not known opens a call, any other goes to the last one.
  #withoutIndex(id: string): number {
    if (id === '') return this.#last;
    for (const [place, known] of this.#ids) if (known === id) return place;
    return this.#ids.size;
  }
}
