import { resolveJournalChoice, type JournalChoice } from '@art/journal';
import { checkOptionNames, optionNames } from '@art/protocol';
import { checkNumber, refuseOption } from '../check-option.ts';
import type { AcknowledgeMode } from '../recording/recorded-run.ts';
import type { RolloutEvent } from '../rollout-event.ts';
import type { RolloutOverrides } from '../rollout-request.ts';
import { checkAdaptiveConcurrency, type AdaptiveConcurrency } from './adaptive-limit.ts';
import type { BatchProgress } from './batch-progress.ts';
import { checkMaxFailures } from './failure-watch.ts';
import { checkRetryPolicy, type RetryPolicy } from './retry-policy.ts';

/** What an agent gets, `_rollout` aside: a JSON object. */
export type Payload = object;

/** Where a batch takes its payloads from; never read further ahead than there is room. */
export type PayloadSource<P extends Payload = Payload> = Iterable<P> | AsyncIterable<P>;

export interface BatchOptions<P extends Payload = Payload> {
  /** Most sessions alive at once. A session counts until it was stopped. */
  maxConcurrentSessions: number;
  /** Longest time from the submission of an attempt to its result, in milliseconds. @default 900_000 */
  timeoutMs?: number | undefined;
  /**
   * Longest time from the first submission to the last result of the whole batch, in milliseconds. When it has passed, what
   * is outstanding settles as `timeout`, no further payload is taken, and the iterator ends. @default no limit
   */
  batchTimeoutMs?: number | undefined;
  /** Find the number of sessions by trying, with `maxConcurrentSessions` as the ceiling. @default fixed */
  adaptiveConcurrency?: AdaptiveConcurrency | undefined;
  /** Settled items that may wait for the consumer; no new rollout starts while it is full. @default maxConcurrentSessions */
  maxBufferedItems?: number | undefined;
  /** Dataset item of a payload. @default generated; all of a batch share a prefix */
  inputId?: ((payload: P, index: number) => string) | undefined;
  /**
   * Session of an attempt, 0 for the first; 33 to 256 characters. A retry for which the same comes out again gets a
   * generated one. @default a random UUID
   */
  sessionId?: ((payload: P, index: number, attempt: number) => string) | undefined;
  /** Fields of `_rollout` for an attempt; they win over the client's. */
  overrides?: ((payload: P, index: number, attempt: number) => RolloutOverrides) | undefined;
  /** Further attempts by outcome. @default { lost: 2, infra_error: 2, throttled: 5 }, and none for every other kind */
  retry?: RetryPolicy | undefined;
  /** Pause before an attempt, 1 for the first retry, in milliseconds. @default 1 s, doubled each time, 30 s at most */
  retryDelayMs?: ((attempt: number) => number) | undefined;
  /**
   * How many rollouts may fail: one more ends the run with `ART_TOO_MANY_FAILURES`, its sessions are stopped, and with a
   * journal it can be resumed. A number of rollouts, or a share between 0 and 1 of those that are settled, judged from the
   * 20th on. Whatever it is, the run also ends when its first 5 sessions all fail to start for one reason; `Infinity`
   * switches both off. Every kind but `ok` and `cancelled` is a failure, once its retries are used up.
   * @default any number
   */
  maxFailures?: number | undefined;
  /**
   * Where the batch is recorded, so that any process can resume it. Every rollout is written down before it is sent.
   * @default nowhere
   */
  journal?: JournalChoice | undefined;
  /**
   * When the journal takes an item for dealt with. `next`: when the consumer asks for the next one, or calls
   * `item.acknowledge()` before. `explicit`: only by that call. @default 'next'
   */
  acknowledge?: AcknowledgeMode | undefined;
  /** Stops every outstanding session; the iterator then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Leaves the run: the iterator throws the signal's reason as it does for `signal`, but the sessions work on and the journal is let
   * go at once, so that `resume` takes them over in another process. For a trainer that is preempted. Needs `journal`.
   */
  detachSignal?: AbortSignal | undefined;
  /** Told how far the batch is, whenever that changes. Must not throw. */
  onProgress?: ((progress: BatchProgress) => void) | undefined;
  /** Told of every step of every rollout. Must not throw. */
  onEvent?: ((event: RolloutEvent) => void) | undefined;
}

/** Options that are functions. */
export const batchCallbacks = [
  'inputId',
  'sessionId',
  'overrides',
  'retryDelayMs',
  'onProgress',
  'onEvent',
] as const;

const names = optionNames<BatchOptions>({
  maxConcurrentSessions: true,
  timeoutMs: true,
  batchTimeoutMs: true,
  adaptiveConcurrency: true,
  maxBufferedItems: true,
  inputId: true,
  sessionId: true,
  overrides: true,
  retry: true,
  retryDelayMs: true,
  maxFailures: true,
  journal: true,
  acknowledge: true,
  signal: true,
  detachSignal: true,
  onProgress: true,
  onEvent: true,
});

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkBatchOptions<P extends Payload>(payloads: unknown, options: BatchOptions<P>): void {
  checkOptionNames('a batch', options ?? {}, names);
  checkSharedOptions(payloads, options);
}

/** What batches and runs of groups have in common. @throws ArtError `ART_INVALID_OPTION` */
export function checkSharedOptions<P extends Payload>(payloads: unknown, options: BatchOptions<P>): void {
  const isIterable =
    typeof payloads === 'object' &&
    payloads !== null &&
    (Symbol.iterator in payloads || Symbol.asyncIterator in payloads);
  if (!isIterable) refuseOption('payloads', 'an array, iterable or async iterable of objects', payloads);
  if (options?.maxConcurrentSessions === undefined)
    refuseOption('maxConcurrentSessions', 'an integer greater than 0', undefined);
  checkNumber('maxConcurrentSessions', options.maxConcurrentSessions, { above: 0, integer: true });
  checkNumber('timeoutMs', options.timeoutMs, { above: 0 });
  checkNumber('batchTimeoutMs', options.batchTimeoutMs, { above: 0 });
  checkAdaptiveConcurrency(options.adaptiveConcurrency);
  checkNumber('maxBufferedItems', options.maxBufferedItems, { above: 0, integer: true });
  checkRetryPolicy(options.retry);
  checkMaxFailures(options.maxFailures);
  if (options.journal !== undefined) resolveJournalChoice(options.journal);
  checkDetachSignal(options);
  const { acknowledge } = options;
  if (acknowledge !== undefined && acknowledge !== 'next' && acknowledge !== 'explicit')
    refuseOption('acknowledge', "'next' or 'explicit'", acknowledge);
  for (const name of batchCallbacks) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'function') refuseOption(name, 'a function', value);
  }
}

function checkDetachSignal({ detachSignal, journal }: BatchOptions<never>): void {
  if (detachSignal === undefined) return;
  if (!(detachSignal instanceof AbortSignal)) refuseOption('detachSignal', 'an AbortSignal', detachSignal);
  // Sessions that nobody remembers could neither be found again nor stopped.
  if (journal === undefined)
    refuseOption('detachSignal', 'left out where there is no journal to resume the run from', detachSignal);
}
