import { aFunction, anObject, optional, type OptionRules } from '@art/ground';
import { checkData, checkRun, type RunOptions, runRules } from '../run/run-options.ts';
import type { Payload, RolloutOverrides } from '../request/rollout-request.ts';
import { type RetryPolicy, retryRules } from '../items/failure-policy.ts';

/** Where a batch takes its payloads from; never read further ahead than there is room. */
export type PayloadSource<P extends Payload = Payload> = Iterable<P> | AsyncIterable<P>;

/** Options of `client.runBatch`. */
export interface BatchOptions<P extends Payload = Payload> extends RunOptions {
  /**
   * Dataset item of a payload, by which the run and its journal know it. Where several payloads have one, the second is the item
   * `id#2`. @default generated; all of a batch share a prefix, and the journal knows items by their positions
   */
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
}

const rules = {
  ...runRules,
  inputId: optional(aFunction()),
  sessionId: optional(aFunction()),
  overrides: optional(aFunction()),
  retry: optional(anObject(retryRules)),
} satisfies OptionRules<BatchOptions>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkBatchOptions<P extends Payload>(payloads: unknown, options: BatchOptions<P>): void {
  checkRun('a batch', options, rules);
  checkData('payloads', payloads);
}
