import type { Indexed, IndexedSource, PastRollout } from '@art/journal';
import { trajectoryOf } from '../gateway/trajectory-of.ts';
import { isFailedStart } from '../lifecycle/outcome-of-failure.ts';
import { recordedError } from '../recording/adopt-rollout.ts';
import { Attempt, type AttemptEnd } from '../pool/attempt.ts';
import type { BatchProgress } from '../pool/batch-progress.ts';
import type { Scheduler, SchedulerParts } from '../pool/scheduler.ts';
import { withMethods } from '../pool/with-methods.ts';
import type { BatchItem, LosingAttempt } from './batch-item.ts';
import type { BatchOptions } from './batch-options.ts';
import type { Payload, RolloutChoices } from '../request/rollout-request.ts';
import { defaultRetryDelayMs, resolveRetryPolicy, type RetriableOutcomeKind } from './retry-policy.ts';

/** What a batch knows of one of its payloads. */
export interface PayloadPlan {
  /** Attempts that were followed by another one. */
  losing: readonly LosingAttempt[];
  /** Retries made so far, by the outcome before them. Undefined while there is none. */
  retries: Partial<Record<RetriableOutcomeKind, number>> | undefined;
}

const slowSourceMs = 100;
const firstPlan: Readonly<PayloadPlan> = { losing: [], retries: undefined };

/** Makes an attempt at each payload in order, and further ones as far as the retry policy goes. */
export class BatchScheduler<P extends Payload> implements Scheduler<PayloadPlan> {
  readonly #source: IndexedSource<P>;
  readonly #options: BatchOptions<P>;
  readonly #parts: SchedulerParts<BatchItem>;
  readonly #mostRetries: Record<RetriableOutcomeKind, number>;
  /**
   * Items of a recorded batch whose sessions failed to start, until one has started: what was handed out counts as dealt
   * with, and a resume would not try it again.
   */
  readonly #heldBack: BatchItem[] = [];
  #isClosed = false;

  constructor(source: IndexedSource<P>, options: BatchOptions<P>, parts: SchedulerParts<BatchItem>) {
    this.#source = source;
    this.#options = options;
    this.#parts = parts;
    this.#mostRetries = resolveRetryPolicy(options.retry);
  }

  get hasRoom(): boolean {
    const { maxConcurrentSessions, maxBufferedItems = maxConcurrentSessions } = this.#options;
    return this.#parts.outbox.size < maxBufferedItems;
  }

  async next(isIdle: boolean): Promise<Attempt<PayloadPlan> | undefined> {
    const next = await this.#take(isIdle);
    if (this.#isClosed) return undefined;
    const { session } = this.#parts;
    if (next === undefined) {
      session?.record.sourceEnded(this.#source.seen);
      return undefined;
    }
    const { index, value: payload } = next;
    const plan = { ...firstPlan };
    const past = session?.pastOf({ index }) ?? [];
    for (const lost of past.slice(0, -1)) countPast(plan, lost);
    const attempt = past.at(-1)?.attempt ?? 0;
    return new Attempt({ place: { index, attempt }, payload, plan, past });
  }

  choose({ payload, index, place }: Attempt<PayloadPlan>): RolloutChoices {
    const { inputId, sessionId, overrides } = this.#options;
    return {
      inputId: inputId?.(payload as P, index),
      sessionId: sessionId?.(payload as P, index, place.attempt),
      overrides: overrides?.(payload as P, index, place.attempt),
    };
  }

  retryAfterMs({ plan, place }: Attempt<PayloadPlan>, end: AttemptEnd): number | undefined {
    const { outcome, sessionId, isRecalled } = end;
    if (isRecalled) {
      if (outcome.kind !== 'ok' && outcome.kind !== 'cancelled') countRetry(plan, outcome.kind);
      return 0;
    }
    // What could not be sent at all would meet the same end again, and what was called off is not wanted.
    if (outcome.kind === 'ok' || outcome.kind === 'cancelled' || sessionId === '') return undefined;
    if ((plan.retries?.[outcome.kind] ?? 0) >= this.#mostRetries[outcome.kind]) return undefined;
    countRetry(plan, outcome.kind);
    return (this.#options.retryDelayMs ?? defaultRetryDelayMs)(place.attempt + 1);
  }

  renew(attempt: Attempt<PayloadPlan>, end: AttemptEnd): void {
    const { sessionId, resultKey, outcome } = end;
    const number = attempt.place.attempt;
    if (outcome.kind !== 'ok') {
      const { kind, error } = outcome;
      addLosing(attempt.plan, { attempt: number, sessionId, resultKey, kind, error });
    }
    attempt.renew(number + 1, end);
  }

  settled(attempt: Attempt<PayloadPlan>, end: AttemptEnd): void {
    const { session, outbox, failures } = this.#parts;
    const item = this.#toItem(attempt, end);
    const { outcome } = item;
    const isFailedStartOf = outcome.kind !== 'ok' && isFailedStart(outcome.error.code);
    if (session !== undefined && isFailedStartOf && failures.isUndecided) this.#heldBack.push(item);
    else outbox.push(item);
  }

  release(): void {
    if (this.#heldBack.length > 0) this.#parts.outbox.push(...this.#heldBack.splice(0));
  }

  onProgress(progress: BatchProgress): void {
    this.#options.onProgress?.(progress);
  }

  close(): void {
    this.#isClosed = true;
    this.#source.close();
  }

  /** A source that waits for what comes of earlier payloads must not wait for what is held back. */
  async #take(isIdle: boolean): Promise<Indexed<P> | undefined> {
    if (this.#heldBack.length === 0 || !isIdle) return await this.#source.next();
    const cancel = this.#parts.clock.after(slowSourceMs, () => this.release());
    try {
      return await this.#source.next();
    } finally {
      cancel();
    }
  }

  #toItem({ index, place, plan }: Attempt<PayloadPlan>, { rollout, ...end }: AttemptEnd): BatchItem {
    const { inputId, sessionId, invocationId, resultKey, outcome, timings } = end;
    const { attempt } = place;
    const ids = { index, inputId, sessionId, invocationId, resultKey };
    const item = { ...ids, outcome, timings, attempt, attempts: plan.losing };
    const { session } = this.#parts;
    return withMethods(item, {
      acknowledge: () => session?.acknowledgements.acknowledge(index) ?? Promise.resolve(),
      trajectory: () => trajectoryOf(rollout ?? item),
    });
  }
}

/** An attempt that an earlier process made and gave up. */
function countPast(plan: PayloadPlan, past: PastRollout): void {
  const { attempt, sessionId, resultKey, state } = past;
  const kind = state.phase === 'settled' && state.outcome !== 'ok' ? state.outcome : 'cancelled';
  if (kind !== 'cancelled') countRetry(plan, kind);
  addLosing(plan, { attempt, sessionId, resultKey, kind, error: recordedError(past) });
}

function countRetry(plan: PayloadPlan, kind: RetriableOutcomeKind): void {
  plan.retries = { ...plan.retries, [kind]: (plan.retries?.[kind] ?? 0) + 1 };
}

function addLosing(plan: PayloadPlan, losing: LosingAttempt): void {
  plan.losing = [...plan.losing, losing];
}
