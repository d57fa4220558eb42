import type { Task } from '../tasks/task.ts';

/** Tasks that are gone through more than once, though their source may be read only once: what was read is kept as long as somebody wants it again. */
export class TaskTape {
  readonly #source: AsyncGenerator<Task, void, undefined>;
  readonly #kept: Task[] = [];
  /** Whether what is read now is kept for a later look. */
  isKeeping = false;

  constructor(source: AsyncGenerator<Task, void, undefined>) {
    this.#source = source;
  }

  /** All of them from the beginning. Leaving it early leaves the rest of the source unread. */
  async *play(): AsyncGenerator<Task, void, undefined> {
    yield* this.#kept;
    for (;;) {
      const next = await this.#source.next();
      if (next.done === true) return;
      if (this.isKeeping) this.#kept.push(next.value);
      yield next.value;
    }
  }

  async close(): Promise<void> {
    await this.#source.return();
  }
}
