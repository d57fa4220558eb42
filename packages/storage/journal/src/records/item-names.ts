/**
 * Names the items of a run. An item is called what its caller calls it; one without a name is called by its position. Where
 * several have one name, the second is `name#2`, the third `name#3`, in the order of the source.
 */
export class ItemNames {
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  nameOf(given: string | undefined, index: number): string {
    if (given === undefined) return String(index);
    let count = (this.#counts.get(given) ?? 0) + 1;
    let name = count === 1 ? given : `${given}#${count}`;
    while (this.#taken.has(name)) name = `${given}#${(count += 1)}`;
    this.#taken.add(name);
    // Most names occur once, and need no count.
    if (count > 1) this.#counts.set(given, count);
    return name;
  }
}
