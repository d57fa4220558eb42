import { ItemNames } from '../records/item-names.ts';

/** One entry of a run's data. */
export interface Item<Input> {
  /** Names it in the run: what its caller calls it, else its position. */
  id: string;
  /** Its position in the source, from 0. */
  index: number;
  input: Input;
  /** The caller's name for it; undefined where the caller gives no names. */
  name: string | undefined;
  /** Error of the function that names it. */
  nameError?: unknown;
}

/** The items of a run in order, taken one at a time. */
export interface ItemSource<Input> {
  /** How many entries of the data have been seen. */
  readonly seen: number;
  /** Undefined at the end. */
  next(): Promise<Item<Input> | undefined>;
  /** Closes the data without waiting for it, and ignores its errors: data that hangs must not keep a run from ending. */
  close(): void;
}

export type ItemName<Input> = (input: Input, index: number) => string;

/**
 * All of a run's data, from the beginning.
 * @param nameOf how the caller calls an entry; called once for each @default by position
 */
export function itemSource<Input>(
  data: Iterable<Input> | AsyncIterable<Input>,
  nameOf: ItemName<Input> | undefined,
): ItemSource<Input> {
  const iterator = Symbol.asyncIterator in data ? data[Symbol.asyncIterator]() : data[Symbol.iterator]();
  const names = new ItemNames();
  let seen = 0;
  const itemOf = (input: Input, index: number): Item<Input> => {
    try {
      const name = nameOf?.(input, index);
      return { id: names.nameOf(name, index), index, input, name };
    } catch (nameError) {
      return { id: String(index), index, input, name: undefined, nameError };
    }
  };
  return {
    get seen() {
      return seen;
    },
    async next() {
      const next = await iterator.next();
      return next.done === true ? undefined : itemOf(next.value, seen++);
    },
    close() {
      // In its own promise, as `return` of a plain iterator may throw at once.
      void Promise.resolve()
        .then(() => iterator.return?.())
        .catch(() => undefined);
    },
  };
}
