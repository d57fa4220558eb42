import { callWithin, type Clock, pause, type Semaphore } from '@art/ground';
import { compareKeys, StoreError, type ListPage, type ResultStore } from '@art/store';
import type { OutstandingKey } from './outstanding-keys.ts';
import { pageKeys, planSweep, type SweepTask } from './plan-sweep.ts';

/** One look at a store. */
export interface Sweep {
  store: ResultStore;
  /** The keys to look for, by bucket, in the order of the store. */
  keys: ReadonlyMap<string, readonly OutstandingKey[]>;
  canList: boolean;
  /** The price of a LIST in HEADs. */
  listCostInHeads: number;
  limit: Semaphore;
  clock: Clock;
  /** How long one request may take. */
  requestTimeoutMs: number;
  signal: AbortSignal;
  onFound: (bucket: string, key: string) => void;
}

/** The smallest request of the kind that failed. */
export interface SweepProbe {
  kind: SweepTask['kind'];
  bucket: string;
  key: string;
}

/** Why a sweep counts as failed. */
export interface SweepFailure {
  error: unknown;
  probe: SweepProbe;
}

/** The outcome of a sweep. */
export interface SweepReport {
  costInHeads: number;
  failure: SweepFailure | undefined;
  /** The reason not to list again: the store refused to, or listed in another way than S3 does. */
  listError: unknown;
}

/** A task, and the keys that it is a part of. */
type Task = SweepTask & { bucket: string; keys: readonly OutstandingKey[] };

const retryDelayMs = 100;
// A failure that took longer was a time-out: the next sweep asks again anyway, and sooner.
const quickFailureMs = 1_000;

/**
 * Looks for all keys in the cheapest way, everything at once within the limit. What fails quickly is tried once more; a failure
 * never hides the answers of other requests. Single failures are made up for by the next sweep; only of a store that mostly
 * fails is it said.
 *
 * A store that refuses to list, or lists in another way than S3 does, is asked key by key at once.
 * @returns what it cost, and why it failed. Never throws.
 */
export async function sweepStore(sweep: Sweep): Promise<SweepReport> {
  const plans = Array.from(sweep.keys, ([bucket, keys]) => ({
    bucket,
    keys,
    plan: planSweep(keys, { ...sweep, pageKeys }),
  }));
  const tasks = plans.flatMap(({ plan, ...rest }) => plan.tasks.map((task): Task => ({ ...task, ...rest })));
  const listing: Listing = { listError: undefined };
  const results = await Promise.allSettled(tasks.map((task) => runTask(task, sweep, listing)));
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [failureOf(tasks[index]!, result.reason)] : [],
  );
  const hasFailed = !sweep.signal.aborted && failures.length * 2 > tasks.length;
  const costInHeads = plans.reduce((sum, { plan }) => sum + plan.costInHeads, 0);
  return { costInHeads, failure: hasFailed ? failures[0] : undefined, ...listing };
}

function failureOf({ kind, bucket, keys, start }: Task, error: unknown): SweepFailure {
  return { error, probe: { kind, bucket, key: keys[start]!.key } };
}

/** The state of listing, shared by all tasks of a sweep. */
interface Listing {
  listError: unknown;
}

async function runTask(task: Task, sweep: Sweep, listing: Listing): Promise<void> {
  const { clock, signal } = sweep;
  const startedMs = clock.nowMs();
  try {
    await runOnce(task, sweep, listing);
  } catch (error) {
    signal.throwIfAborted();
    if (clock.nowMs() - startedMs > quickFailureMs) throw error;
    await pause(retryDelayMs, { clock, signal });
    await runOnce(task, sweep, listing);
  }
}

async function runOnce(task: Task, sweep: Sweep, listing: Listing): Promise<void> {
  const { bucket, keys, start } = task;
  if (task.kind === 'head') return head(bucket, keys[start]!, sweep);
  const stretch = keys.slice(start, task.end);
  try {
    if (listing.listError === undefined) return await list(bucket, stretch, sweep);
  } catch (error) {
    if (!isListUnusable(error)) throw error;
    listing.listError = error;
  }
  await Promise.all(stretch.map((entry) => head(bucket, entry, sweep)));
}

/** A page that S3 would not give: unsorted, or with keys that were not asked for. */
class OddPage extends Error {}

/** True if listing fails in the same way each time, while single keys may still be asked for. */
function isListUnusable(error: unknown): boolean {
  if (error instanceof OddPage) return true;
  if (!StoreError.isInstance(error)) return false;
  return error.code === 'ART_STORE_DENIED' || (error.code === 'ART_STORE_FAILED' && !error.retryable);
}

function checkPage(page: ListPage, prefix: string, startAfter: string): void {
  let last = startAfter;
  for (const key of page.keys) {
    if (compareKeys(key, last) <= 0 || !key.startsWith(prefix))
      throw new OddPage(`the store listed ${JSON.stringify(key)} behind ${JSON.stringify(last)}`);
    last = key;
  }
}

/** Lists a stretch. Where foreign keys make pages too poor, the rest of it is asked for one by one. */
async function list(bucket: string, keys: readonly OutstandingKey[], sweep: Sweep): Promise<void> {
  const { store, listCostInHeads, onFound } = sweep;
  let stretch = keys;
  while (stretch.length > listCostInHeads) {
    const first = stretch[0]!.key;
    const prefix = commonPrefix(first, stretch.at(-1)!.key);
    // Cutting off the last character gives a place just before the first open key.
    const startAfter = first.slice(0, -1);
    const page = await request(sweep, (signal) => store.list!({ bucket, prefix, startAfter }, { signal }));
    checkPage(page, prefix, startAfter);
    const { found, covered } = learnGaps(stretch, page);
    for (const key of found) onFound(bucket, key);
    stretch = stretch.slice(covered);
    if (covered <= listCostInHeads) break;
  }
  await Promise.all(stretch.map((entry) => head(bucket, entry, sweep)));
}

async function head(bucket: string, entry: OutstandingKey, sweep: Sweep): Promise<void> {
  // Found by a push, or given up, since the plan was made.
  if (entry.found === undefined) return;
  const { store, onFound } = sweep;
  const { key } = entry;
  if (await request(sweep, (signal) => store.exists({ bucket, key }, { signal }))) onFound(bucket, key);
}

/** One request within the limit; a store that stalls costs its time-out and not the sweep, whether it heeds the signal or not. */
function request<T>(sweep: Sweep, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { limit, signal, clock, requestTimeoutMs: timeoutMs } = sweep;
  const timeoutError = (): Error => new Error(`the store did not answer within ${timeoutMs} ms`);
  return limit.run(signal, () => callWithin(send, { signal, clock, timeoutMs, timeoutError }));
}

function commonPrefix(first: string, last: string): string {
  let length = 0;
  while (length < first.length && first[length] === last[length]) length += 1;
  // A cut inside a surrogate pair would not be text any more.
  return length > 0 && /[\ud800-\udbff]/.test(first[length - 1]!)
    ? first.slice(0, length - 1)
    : first.slice(0, length);
}

interface PageLesson {
  /** The keys of the stretch that the page has, in order. */
  found: string[];
  /** How many keys of the stretch the page answers for; the first one after them is still to be asked for. */
  covered: number;
}

/**
 * Reads one page against the stretch of open keys that it was asked for: which of them are there, how far it reaches, and
 * how much lies between them, which makes the next plan better.
 */
export function learnGaps(stretch: readonly OutstandingKey[], page: ListPage): PageLesson {
  const found: string[] = [];
  const keys = page.keys;
  let at = 0;
  let covered = 0;
  for (const entry of stretch) {
    let between = 0;
    while (at < keys.length && compareKeys(keys[at]!, entry.key) < 0) {
      at += 1;
      between += 1;
    }
    if (at === keys.length && page.truncated) {
      // The page ended before it: at least this much lies in between.
      entry.gap = Math.max(entry.gap, between);
      return { found, covered };
    }
    // Nothing before the first key of a stretch was listed, so nothing is known of it.
    if (covered > 0) entry.gap = between;
    if (keys[at] === entry.key) {
      found.push(entry.key);
      at += 1;
    }
    covered += 1;
  }
  return { found, covered };
}
