import { compareKeys } from '@art/store';

/** Index of the first of `sorted` (in the order of {@link compareKeys}) that comes after `key`. */
export function indexAfter(sorted: readonly string[], key: string): number {
  return firstIndex(sorted, (candidate) => compareKeys(candidate, key) > 0);
}

/** Index of the first of `sorted` that is `key` or comes after it. */
export function indexFrom(sorted: readonly string[], key: string): number {
  return firstIndex(sorted, (candidate) => compareKeys(candidate, key) >= 0);
}

/** Binary search: `isBehind` is false up to some place and true from there on. */
function firstIndex(sorted: readonly string[], isBehind: (candidate: string) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBehind(sorted[middle] ?? '')) high = middle;
    else low = middle + 1;
  }
  return low;
}
