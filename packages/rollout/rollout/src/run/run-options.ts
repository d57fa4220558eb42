import {
  aBoolean,
  aFunction,
  aNumber,
  unchecked,
  custom,
  oneOf,
  optional,
  type OptionRule,
  type OptionRules,
  readOptions,
  refuseOption,
} from '@art/ground';
import { resolveJournalChoice, type JournalChoice } from '@art/journal';
import type { RolloutEvent } from '../lifecycle/rollout-event.ts';
import type { RunProgress } from './run-progress.ts';

/** When an item counts as dealt with: when the next one is asked for, or only when the consumer says so. */
export type AcknowledgeMode = 'next' | 'explicit';

/** The options that batches and runs of groups share. */
export interface RunOptions {
  /**
   * Most sessions alive at once; `limit` of the run changes it while the run continues. A session counts until it was stopped. Of those
   * that wait for a turn of the runtime 1,000 are begun at a time, so that the time of a rollout runs from when it can soon be sent.
   */
  maxConcurrentSessions: number;
  /** Longest time from the submission of an attempt to its result, in milliseconds. @default 900_000 */
  timeoutMs?: number | undefined;
  /** When an item must have ended, retries included, in milliseconds since the Unix epoch. @param index its position @default never */
  deadlineAtMs?: ((index: number) => number) | undefined;
  /**
   * Longest time from the first submission to the last result of the whole batch, in milliseconds. When it has passed, what
   * is outstanding settles as `timeout`, no further payload is taken, and the iterator ends. @default no limit
   */
  batchTimeoutMs?: number | undefined;
  /**
   * How many rollouts may fail: one more ends the run with `ART_TOO_MANY_FAILURES`, its sessions are stopped, and with a
   * journal it can be resumed. A number of rollouts, or a share between 0 and 1 of those that are settled, judged from the
   * 20th on. Whatever it is, the run also ends when its first 5 sessions all fail to start for one reason; `Infinity`
   * switches both off. Every kind but `ok` and `cancelled` is a failure, once its retries are used up.
   * @default any number
   */
  maxFailures?: number | undefined;
  /**
   * Settled items that may wait for the consumer; no new item begins while there are as many, and those that have begun are
   * finished. @default as many as fit into `maxConcurrentSessions`, at least 1
   */
  maxBufferedItems?: number | undefined;
  /**
   * Items that may be handed out and not acknowledged; no new item begins while there are as many. For consumers that work on
   * items beside the loop, with `acknowledge: 'explicit'`. @default any number
   */
  maxUnacknowledged?: number | undefined;
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
   * Leaves the run: the iterator throws the signal's reason as it does for `signal`, but the sessions work on and the journal is
   * released at once, so that `resume` takes them over in another process. For a trainer that is preempted. Needs `journal`.
   */
  detachSignal?: AbortSignal | undefined;
  /**
   * Pause before an attempt, 1 for the first retry, in milliseconds.
   * @default none, but after what most likely fails again a moment later (`infra_error`, `throttled`, a session that did not start)
   *   1 s, doubled each time, 30 s at most
   */
  retryDelayMs?: ((attempt: number) => number) | undefined;
  /** Called with every step of every rollout. Must not throw. */
  onEvent?: ((event: RolloutEvent) => void) | undefined;
  /** Called with the progress of the run at each change. Must not throw. */
  onProgress?: ((progress: RunProgress) => void) | undefined;
  /** True where a judge of the caller gives the rewards, so that an answer without one is nothing to warn of. @default false */
  isJudged?: boolean | undefined;
  /** Writes a line to stderr that says how far the run is, so often. @default never */
  logIntervalMs?: number | undefined;
}

const aMaxFailures: OptionRule<number> = custom(
  'a number of rollouts, a share between 0 and 1, or Infinity',
  (value) =>
    value === Number.POSITIVE_INFINITY ||
    (typeof value === 'number' && value >= 0 && (value < 1 || Number.isInteger(value))),
);

/** Part of the tables of batches and of runs of groups; `checkRun` has what a table cannot say. */
export const runRules = {
  maxConcurrentSessions: aNumber({ min: 1, integer: true }),
  timeoutMs: optional(aNumber({ above: 0 })),
  deadlineAtMs: optional(aFunction()),
  batchTimeoutMs: optional(aNumber({ above: 0 })),
  maxFailures: optional(aMaxFailures),
  journal: optional((given) => resolveJournalChoice(given as JournalChoice)),
  acknowledge: optional(oneOf('next', 'explicit')),
  signal: unchecked(),
  detachSignal: optional(custom('an AbortSignal', (value) => value instanceof AbortSignal)),
  retryDelayMs: optional(aFunction()),
  onEvent: optional(aFunction()),
  onProgress: optional(aFunction()),
  isJudged: optional(aBoolean),
  logIntervalMs: optional(aNumber({ above: 0 })),
  maxBufferedItems: optional(aNumber({ min: 1, integer: true })),
  maxUnacknowledged: optional(aNumber({ min: 1, integer: true })),
} satisfies OptionRules<RunOptions>;

/**
 * @param rules of all its options
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkRun(owner: string, options: RunOptions, rules: typeof runRules): void {
  readOptions(owner, options ?? {}, rules);
  // Sessions that nobody remembers could neither be found again nor stopped.
  if (options.detachSignal !== undefined && options.journal === undefined)
    refuseOption(
      'detachSignal',
      'left out where there is no journal to resume the run from',
      options.detachSignal,
    );
}

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkData(name: 'payloads' | 'inputs', values: unknown): void {
  const isIterable =
    typeof values === 'object' &&
    values !== null &&
    (Symbol.iterator in values || Symbol.asyncIterator in values);
  if (!isIterable) refuseOption(name, 'an array, iterable or async iterable of objects', values);
}
