import { readOptions } from '@art/protocol';
import type { IndexedSource } from '@art/journal';
import { trajectoryOf } from '../gateway/trajectory-of.ts';
import { Attempt, type AttemptEnd, type AttemptPurpose, type Retry } from '../pool/attempt.ts';
import type { BatchProgress } from '../pool/batch-progress.ts';
import { defaultRetryDelayMs, type RetriableOutcomeKind, retryRules } from '../pool/retry-policy.ts';
import type { Scheduler, SchedulerParts } from '../pool/scheduler.ts';
import { withMethods } from '../pool/with-methods.ts';
import type { Payload, RolloutChoices } from '../request/rollout-request.ts';
import type { BatchItem } from './batch-item.ts';
import type { BatchOptions } from './batch-options.ts';

/** Makes an attempt at each payload in order, and further ones as far as the retry policy goes. */
export class BatchScheduler<P extends Payload> implements Scheduler, AttemptPurpose {
  readonly #source: IndexedSource<P>;
  readonly #options: BatchOptions<P>;
  readonly #parts: SchedulerParts<BatchItem>;
  readonly #mostRetries: Record<RetriableOutcomeKind, number>;
  #isClosed = false;

  constructor(source: IndexedSource<P>, options: BatchOptions<P>, parts: SchedulerParts<BatchItem>) {
    this.#source = source;
    this.#options = options;
    this.#parts = parts;
    this.#mostRetries = readOptions('retry', options.retry ?? {}, retryRules, 'retry.');
  }

  get hasRoom(): boolean {
    const { maxConcurrentSessions, maxBufferedItems = maxConcurrentSessions } = this.#options;
    return this.#parts.outbox.size < maxBufferedItems;
  }

  async next(): Promise<Attempt | undefined> {
    const next = await this.#source.next();
    if (this.#isClosed) return undefined;
    const { session } = this.#parts;
    if (next === undefined) {
      session?.record.sourceEnded(this.#source.seen);
      return undefined;
    }
    const { index, value: payload } = next;
    const past = session?.pastOf({ index });
    const attempt = past?.at(-1)?.attempt ?? 0;
    return new Attempt(this, { index, attempt }, payload, past);
  }

  choose({ payload, index, place }: Attempt): RolloutChoices {
    const { inputId, sessionId, overrides } = this.#options;
    return {
      inputId: inputId?.(payload as P, index),
      sessionId: sessionId?.(payload as P, index, place.attempt),
      overrides: overrides?.(payload as P, index, place.attempt),
    };
  }

  retry({ place, losing }: Attempt, end: AttemptEnd): Retry | undefined {
    const { outcome, sessionId, isRecalled } = end;
    const number = place.attempt + 1;
    if (isRecalled) return { number, afterMs: 0 };
    // What could not be sent at all would meet the same end again, and what was called off is not wanted.
    if (outcome.kind === 'ok' || outcome.kind === 'cancelled' || sessionId === '') return undefined;
    const retries = losing.filter(({ kind }) => kind === outcome.kind).length;
    if (retries >= this.#mostRetries[outcome.kind]) return undefined;
    return { number, afterMs: (this.#options.retryDelayMs ?? defaultRetryDelayMs)(number) };
  }

  settled(attempt: Attempt, end: AttemptEnd): void {
    const { session, outbox, failures } = this.#parts;
    const item = this.#toItem(attempt, end);
    // What is handed out counts as dealt with, and a resume would not try it again.
    if (session !== undefined && failures.mayBeForgiven(item.outcome)) outbox.holdBack(item);
    else outbox.push(item);
  }

  onProgress(progress: BatchProgress): void {
    this.#options.onProgress?.(progress);
  }

  close(): void {
    this.#isClosed = true;
    this.#source.close();
  }

  #toItem({ index, place, losing }: Attempt, { rollout, ...end }: AttemptEnd): BatchItem {
    const { inputId, sessionId, invocationId, resultKey, outcome, timings } = end;
    const { attempt } = place;
    const ids = { index, inputId, sessionId, invocationId, resultKey };
    const item = { ...ids, outcome, timings, attempt, attempts: losing };
    const { session } = this.#parts;
    return withMethods(item, {
      acknowledge: () => session?.acknowledge(index) ?? Promise.resolve(),
      trajectory: () => trajectoryOf(rollout ?? item),
    });
  }
}
