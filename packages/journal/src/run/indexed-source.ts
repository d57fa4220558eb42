/** A payload and its position in the source. */
export interface Indexed<T> {
  index: number;
  value: T;
}

/** Payloads in order, taken one at a time; positions may be missing where an earlier process has dealt with them. */
export interface IndexedSource<T> {
  /** How many payloads of the source have been seen. */
  readonly seen: number;
  /** Undefined at the end. */
  next(): Promise<Indexed<T> | undefined>;
  /** Lets go of the source without waiting: one that hangs must not hold the end up, and what it throws concerns nobody. */
  close(): void;
}

/** All of a source, from the beginning. */
export function indexedSource<T>(values: Iterable<T> | AsyncIterable<T>): IndexedSource<T> {
  const iterator =
    Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
  let seen = 0;
  return {
    get seen() {
      return seen;
    },
    async next() {
      const next = await iterator.next();
      return next.done === true ? undefined : { index: seen++, value: next.value };
    },
    close() {
      // In a promise of its own, as `return` of a plain iterator may throw at once.
      void Promise.resolve()
        .then(() => iterator.return?.())
        .catch(() => undefined);
    },
  };
}
