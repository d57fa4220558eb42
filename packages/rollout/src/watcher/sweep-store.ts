import { callWithin, type Clock, pause, type Semaphore } from '@art/async';
import { compareKeys, StoreError, type ListPage, type ResultStore } from '@art/store';
import type { OutstandingKey } from './outstanding-keys.ts';
import type { SweepPlan, SweepTask } from './plan-sweep.ts';

export interface SweepParts {
  store: ResultStore;
  bucket: string;
  /** In the order of the store. */
  keys: readonly OutstandingKey[];
  plan: SweepPlan;
  /** What a LIST costs in HEADs. */
  listCostInHeads: number;
  limit: Semaphore;
  clock: Clock;
  /** How long one request may take. */
  requestTimeoutMs: number;
  signal: AbortSignal;
  /** @param askedAtMs when what found it was asked */
  onFound: (key: string, askedAtMs: number) => void;
}

/** The smallest request of the kind that failed. */
export interface SweepProbe {
  kind: SweepTask['kind'];
  bucket: string;
  key: string;
}

/** What became of a sweep in one bucket. */
export interface SweepReport {
  /** Requests, and listings of a stretch. */
  tasks: number;
  /** Of these, those that failed for good. */
  failed: number;
  /** One of them; undefined when there was none. */
  first: { error: unknown; probe: SweepProbe } | undefined;
}

/** Why a sweep counts as failed. */
export interface SweepFailure {
  error: unknown;
  /** Undefined where the sweep failed before it asked anything. */
  probe?: SweepProbe;
  /** Whether listing is what the store refuses to this caller. */
  isListDenied?: boolean;
}

const retryDelayMs = 100;
// A failure that took longer was a time-out: the next sweep asks again anyway, and sooner.
const quickFailureMs = 1_000;

/**
 * Carries a plan out, everything at once within the limit. What fails quickly is tried once more; a failure never hides
 * the answers of other requests.
 * @throws the signal's reason when aborted.
 */
export async function sweepStore(parts: SweepParts): Promise<SweepReport> {
  const { bucket, keys, plan, signal } = parts;
  const results = await Promise.allSettled(plan.tasks.map((task) => runTask(task, parts)));
  signal.throwIfAborted();
  const failed = results.flatMap((result, index) => {
    if (result.status === 'fulfilled') return [];
    const { kind, start } = plan.tasks[index]!;
    return [{ error: result.reason as unknown, probe: { kind, bucket, key: keys[start]!.key } }];
  });
  return { tasks: plan.tasks.length, failed: failed.length, first: failed[0] };
}

/**
 * Whether a sweep has failed. Single failures are made up for by the next one; only a store that mostly fails is left
 * alone for longer.
 */
export function judgeSweep(reports: readonly SweepReport[]): SweepFailure | undefined {
  const failed = reports.reduce((sum, report) => sum + report.failed, 0);
  const tasks = reports.reduce((sum, report) => sum + report.tasks, 0);
  const first = reports.find((report) => report.first !== undefined)?.first;
  if (failed * 2 <= tasks || first === undefined) return undefined;
  const isDenied = StoreError.isInstance(first.error) && first.error.code === 'ART_STORE_DENIED';
  return { ...first, isListDenied: isDenied && first.probe.kind === 'list' };
}

async function runTask(task: SweepTask, parts: SweepParts): Promise<void> {
  const startedMs = parts.clock.nowMs();
  try {
    await runOnce(task, parts);
  } catch (error) {
    parts.signal.throwIfAborted();
    if (parts.clock.nowMs() - startedMs > quickFailureMs) throw error;
    await pause(retryDelayMs, { clock: parts.clock, signal: parts.signal });
    await runOnce(task, parts);
  }
}

function runOnce(task: SweepTask, parts: SweepParts): Promise<void> {
  return task.kind === 'head' ? head(task.start, parts) : list(task.start, task.end, parts);
}

/** Lists a stretch. Where foreign keys make pages too poor, the rest of it is asked for one by one. */
async function list(start: number, end: number, parts: SweepParts): Promise<void> {
  const { store, bucket, keys, onFound } = parts;
  let at = start;
  while (at < end) {
    if (end - at <= parts.listCostInHeads) break;
    const stretch = keys.slice(at, end);
    const first = stretch[0]!.key;
    const askedAtMs = parts.clock.nowMs();
    const page = await request(parts, (signal) =>
      // Cutting off the last character gives a place just before the first open key.
      store.list!(
        { bucket, prefix: commonPrefix(first, stretch.at(-1)!.key), startAfter: first.slice(0, -1) },
        { signal },
      ),
    );
    const { found, covered } = learnGaps(stretch, page);
    for (const key of found) onFound(key, askedAtMs);
    for (const entry of stretch.slice(0, covered)) entry.absentAtMs = askedAtMs;
    at += covered;
    if (covered <= parts.listCostInHeads) break;
  }
  if (at < end) await Promise.all(Array.from({ length: end - at }, (_, offset) => head(at + offset, parts)));
}

async function head(index: number, parts: SweepParts): Promise<void> {
  const entry = parts.keys[index]!;
  // Found by a push, or given up, since the plan was made.
  if (entry.found === undefined) return;
  const { store, bucket } = parts;
  const { key } = entry;
  const askedAtMs = parts.clock.nowMs();
  if (await request(parts, (signal) => store.exists({ bucket, key }, { signal })))
    parts.onFound(key, askedAtMs);
  else entry.absentAtMs = askedAtMs;
}

/** One request within the limit; a store that stalls costs its time-out and not the sweep, whether it heeds the signal or not. */
function request<T>(parts: SweepParts, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { limit, signal, clock, requestTimeoutMs: timeoutMs } = parts;
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
