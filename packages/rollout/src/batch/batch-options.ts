import { aFunction, aNumber, anObject, optional, type OptionRules } from '@art/protocol';
import { checkIterable, checkRun, type RunOptions, runRules } from '../pool/run-options.ts';
import type { BatchProgress } from '../pool/batch-progress.ts';
import type { Payload, RolloutOverrides } from '../request/rollout-request.ts';
import { type RetryPolicy, retryRules } from '../pool/retry-policy.ts';

/** Where a batch takes its payloads from; never read further ahead than there is room. */
export type PayloadSource<P extends Payload = Payload> = Iterable<P> | AsyncIterable<P>;

/** Options of `client.runBatch`. */
export interface BatchOptions<P extends Payload = Payload> extends RunOptions {
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
  /** Told how far the batch is, whenever that changes. Must not throw. */
  onProgress?: ((progress: BatchProgress) => void) | undefined;
}

const rules = {
  ...runRules,
  maxBufferedItems: optional(aNumber({ min: 1, integer: true })),
  inputId: optional(aFunction()),
  sessionId: optional(aFunction()),
  overrides: optional(aFunction()),
  retry: optional(anObject(retryRules)),
  retryDelayMs: optional(aFunction()),
  onProgress: optional(aFunction()),
} satisfies OptionRules<BatchOptions>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkBatchOptions<P extends Payload>(payloads: unknown, options: BatchOptions<P>): void {
  checkRun('a batch', options, rules);
  checkIterable('payloads', payloads);
}
