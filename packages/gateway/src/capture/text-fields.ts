import type { Fragment } from './read-delta.ts';

/** How the pieces of one text add up; `join` where nothing is said. */
export type PieceRule =
  /** It comes whole each time. */
  | 'whole'
  /** It comes in pieces, and engines that send it whole may send it again. */
  | 'join_unless_repeated';

/** Members of an object that arrives in pieces: texts grow, other values are replaced. */
export class TextFields {
  readonly #texts = new Map<string, string>();
  readonly #values = new Map<string, string>();
  readonly #rules: Readonly<Record<string, PieceRule>>;
  #hasText = false;

  constructor(rules: Readonly<Record<string, PieceRule>> = {}) {
    this.#rules = rules;
  }

  /** Whether any text that is joined is not empty. */
  get hasText(): boolean {
    return this.#hasText;
  }

  add(fragment: Fragment): void {
    for (const [name, piece] of fragment.texts) {
      const known = this.#texts.get(name);
      const rule = Object.hasOwn(this.#rules, name) ? this.#rules[name] : undefined;
      if (rule === 'whole') {
        if (known === undefined || piece !== '') this.#texts.set(name, piece);
        continue;
      }
      if (piece !== '') this.#hasText = true;
      if (rule === 'join_unless_repeated' && piece === known) continue;
      this.#texts.set(name, (known ?? '') + piece);
    }
    for (const [name, json] of fragment.values) this.#values.set(name, json);
  }

  has(name: string): boolean {
    return this.#texts.has(name) || this.#values.has(name);
  }

  text(name: string): string | undefined {
    return this.#texts.get(name);
  }

  /** As members of a JSON object, in the order in which they first came. */
  toMembers(): string[] {
    const members: string[] = [];
    for (const [name, text] of this.#texts) members.push(`${JSON.stringify(name)}:"${text}"`);
    for (const [name, json] of this.#values) {
      if (!this.#texts.has(name)) members.push(`${JSON.stringify(name)}:${json}`);
    }
    return members;
  }
}
