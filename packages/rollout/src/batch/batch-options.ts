import { checkNumber, refuseOption } from '../check-option.ts';
import type { RolloutEvent } from '../rollout-event.ts';
import type { RolloutOverrides } from '../rollout-request.ts';
import { checkAdaptiveConcurrency, type AdaptiveConcurrency } from './adaptive-limit.ts';
import type { BatchProgress } from './batch-progress.ts';

/** What an agent gets, `_rollout` aside: a JSON object. */
export type Payload = object;

/** Where a batch takes its payloads from; never read further ahead than there is room. */
export type PayloadSource<P extends Payload = Payload> = Iterable<P> | AsyncIterable<P>;

export interface BatchOptions<P extends Payload = Payload> {
  /** Most sessions alive at once. A session counts until it was stopped. */
  maxConcurrentSessions: number;
  /** Longest time from the submission of a rollout to its result, in milliseconds. @default 900_000 */
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
  /** Session of a payload; 33 to 256 characters. @default a random UUID */
  sessionId?: ((payload: P, index: number) => string) | undefined;
  /** Fields of `_rollout` for a payload; they win over the client's. */
  overrides?: ((payload: P, index: number) => RolloutOverrides) | undefined;
  /** Stops every outstanding session; the iterator then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Told how far the batch is, whenever that changes. Must not throw. */
  onProgress?: ((progress: BatchProgress) => void) | undefined;
  /** Told of every step of every rollout. Must not throw. */
  onEvent?: ((event: RolloutEvent) => void) | undefined;
}

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkBatchOptions<P extends Payload>(payloads: unknown, options: BatchOptions<P>): void {
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
  for (const name of ['inputId', 'sessionId', 'overrides', 'onProgress', 'onEvent'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'function') refuseOption(name, 'a function', value);
  }
}
