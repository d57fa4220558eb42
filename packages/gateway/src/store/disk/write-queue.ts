/** Work for the one writer of a store. */
type QueuedWork<Item> =
  | { kind: 'item'; item: Item; resolve: () => void; reject: (error: unknown) => void }
  | { kind: 'task'; run: () => Promise<void> };

/** One item of a group, and how to tell its caller that it failed while others of the group go on. */
export interface GroupMember<Item> {
  readonly item: Item;
  fail(error: unknown): void;
}

/**
 * Does work one after the other. Items that wait at the same time are done as a group: while one write is under way the
 * next ones gather, and share the cost of the next write.
 */
export class WriteQueue<Item> {
  readonly #writeGroup: (members: readonly GroupMember<Item>[]) => Promise<void>;
  #queue: QueuedWork<Item>[] = [];
  #state: 'idle' | 'running' = 'idle';

  constructor(writeGroup: (members: readonly GroupMember<Item>[]) => Promise<void>) {
    this.#writeGroup = writeGroup;
  }

  /** Resolves when the item's group is written; rejects as the item failed, or as all of its group did. */
  add(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ kind: 'item', item, resolve, reject });
      this.#start();
    });
  }

  /** Runs a task between two groups. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ kind: 'task', run: () => task().then(resolve, reject) });
      this.#start();
    });
  }

  #start(): void {
    if (this.#state === 'running') return;
    this.#state = 'running';
    // A microtask later, so that what is asked for in the same moment is one group.
    queueMicrotask(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const next = this.#queue[0]!;
      if (next.kind === 'task') {
        this.#queue.shift();
        await next.run();
      } else {
        await this.#drainGroup();
      }
    }
    this.#state = 'idle';
  }

  async #drainGroup(): Promise<void> {
    const end = this.#queue.findIndex((work) => work.kind === 'task');
    const group = this.#queue
      .splice(0, end < 0 ? this.#queue.length : end)
      .filter((work) => work.kind === 'item');
    const members = group.map(({ item, reject }) => ({ item, fail: reject }));
    try {
      await this.#writeGroup(members);
      // A promise that was rejected already stays so.
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
