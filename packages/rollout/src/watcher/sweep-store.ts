import { compareKeys, type ResultStore } from '@art/store';
import { Semaphore } from '../semaphore.ts';

export interface SweepOptions {
  store: ResultStore;
  bucket: string;
  /** The keys that are waited for. */
  keys: readonly string[];
  /** HEAD requests under way at once. */
  concurrency: number;
  signal: AbortSignal;
  onFound: (key: string) => void;
}

// What a LIST costs in HEADs at S3's prices (0.005 against 0.0004 USD per 1,000). A page that answers for fewer
// outstanding keys than this is dearer than asking for them one by one.
const listCostInHeads = 12.5;

/**
 * Looks once for every outstanding key. Sorted keys are covered by LIST pages that jump straight to the next key that
 * is still open; as soon as a page has covered too few to be worth its price, the rest are asked for one by one.
 */
export async function sweepStore(options: SweepOptions): Promise<void> {
  const { store, bucket, signal } = options;
  const open = options.keys.toSorted(compareKeys);
  while (store.list !== undefined && open.length > listCostInHeads) {
    const first = open[0]!;
    const last = open.at(-1)!;
    const page = await store.list(
      // Cutting off the last character gives a place just before the first open key.
      { bucket, prefix: commonPrefix(first, last), startAfter: first.slice(0, -1) },
      { signal },
    );
    const listed = new Set(page.keys);
    const end = page.truncated ? page.keys.at(-1) : undefined;
    const coveredCount = end === undefined ? open.length : countUpTo(open, end);
    for (const key of open.splice(0, coveredCount)) {
      if (listed.has(key)) options.onFound(key);
    }
    if (coveredCount < listCostInHeads) break;
  }
  await headEach(open, options);
}

async function headEach(keys: readonly string[], options: SweepOptions): Promise<void> {
  const limit = new Semaphore(options.concurrency);
  const results = await Promise.allSettled(
    keys.map((key) =>
      limit.run(options.signal, async () => {
        if (await options.store.exists({ bucket: options.bucket, key }, { signal: options.signal }))
          options.onFound(key);
      }),
    ),
  );
  // Each key is asked for before any failure counts: one bad answer must not hide the others.
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

function countUpTo(sorted: readonly string[], end: string): number {
  const index = sorted.findIndex((key) => compareKeys(key, end) > 0);
  return index === -1 ? sorted.length : index;
}

function commonPrefix(first: string, last: string): string {
  let length = 0;
  while (length < first.length && first[length] === last[length]) length += 1;
  // A cut inside a surrogate pair would not be text any more.
  return length > 0 && /[\ud800-\udbff]/.test(first[length - 1]!)
    ? first.slice(0, length - 1)
    : first.slice(0, length);
}
