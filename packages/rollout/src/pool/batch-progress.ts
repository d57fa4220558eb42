import type { Clock } from '@art/async';
import { rolloutOutcomeKinds, type RolloutOutcome, type RolloutOutcomeKind } from '@art/protocol';

/** How far a batch is. */
export interface BatchProgress {
  /** Rollouts handed to the runtime so far. */
  submitted: number;
  /** Rollouts whose outcome is not known yet. */
  active: number;
  /** Rollouts whose outcome is known; the sum of `outcomes`. */
  done: number;
  outcomes: Record<RolloutOutcomeKind, number>;
  /** Rollouts that were `ok` and had a finite reward. */
  rewarded: number;
  /** Mean of their rewards; undefined while there is none. A failed rollout never counts as 0. */
  meanReward: number | undefined;
  /** Sessions that may be alive at this moment; below `maxConcurrentSessions` only when concurrency is adaptive. */
  concurrencyLimit: number;
  elapsedMs: number;
}

/** Counts a batch along. */
export class BatchProgressCounter {
  readonly #clock: Clock;
  readonly #startedMs: number;
  #submitted = 0;
  #rewarded = 0;
  #rewardSum = 0;
  readonly #outcomes = Object.fromEntries(rolloutOutcomeKinds.map((kind) => [kind, 0])) as Record<
    RolloutOutcomeKind,
    number
  >;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedMs = clock.nowMs();
  }

  submitted(): void {
    this.#submitted += 1;
  }

  settled(outcome: RolloutOutcome): void {
    this.#outcomes[outcome.kind] += 1;
    if (outcome.kind !== 'ok' || outcome.reward === undefined) return;
    this.#rewarded += 1;
    this.#rewardSum += outcome.reward;
  }

  snapshot(concurrencyLimit: number): BatchProgress {
    const done = Object.values(this.#outcomes).reduce((sum, count) => sum + count, 0);
    return {
      submitted: this.#submitted,
      active: this.#submitted - done,
      done,
      outcomes: { ...this.#outcomes },
      rewarded: this.#rewarded,
      meanReward: this.#rewarded === 0 ? undefined : this.#rewardSum / this.#rewarded,
      concurrencyLimit,
      elapsedMs: this.#clock.nowMs() - this.#startedMs,
    };
  }
}
