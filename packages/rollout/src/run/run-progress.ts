import { backgroundClock, type Clock } from '@art/async';
import { rolloutOutcomeKinds, type RolloutOutcome, type RolloutOutcomeKind } from '@art/protocol';
import type { ItemKind } from '../items/item-state.ts';

/** How fast a run goes. */
export interface RunPace {
  /** Sessions that may be alive at once. */
  limit: number;
  /** Whether no further item is opened. */
  isPaused: boolean;
}

/** How far a run is. */
export interface RunProgress extends RunPace {
  /** Payloads of a batch, or inputs of a run of groups. */
  items: {
    /** Undefined where the data did not say how many there are, and has not come to its end. */
    total: number | undefined;
    /** Acknowledged before this process took the run up. */
    earlier: number;
    /** Begun and not settled. */
    active: number;
    /** Settled by this process, and how whole. */
    settled: number;
    /** Settled ones by how whole they are. */
    kinds: Record<ItemKind, number>;
  };
  /** Rollouts begun so far; one that is tried again counts once. In a batch an item has one, in a group several. */
  submitted: number;
  /** Rollouts whose outcome is not known yet. */
  active: number;
  /** Rollouts whose outcome is known; the sum of `outcomes`. */
  done: number;
  /** How many by outcome. Rollouts that a group no longer needed count as `cancelled`. */
  outcomes: Record<RolloutOutcomeKind, number>;
  /** Rollouts that were `ok` and had a finite reward. */
  rewarded: number;
  /** Mean of their rewards, of the last turn; undefined while there is none. A failed rollout never counts as 0. */
  meanReward: number | undefined;
  /** Attempts that another one followed. */
  retried: number;
  /** How often the service answered "too many requests" to attempts that have ended. */
  throttled: number;
  /** Since the run was opened. */
  elapsedMs: number;
}

type Counted = 'submitted' | 'retried' | 'throttled';

/** Counts a run. */
export class RunProgressCounter {
  readonly #clock: Clock;
  readonly #startedMs: number;
  readonly #counts: Record<Counted, number> = { submitted: 0, retried: 0, throttled: 0 };
  readonly #kinds: Record<ItemKind, number> = { complete: 0, degraded: 0, failed: 0 };
  readonly #outcomes = Object.fromEntries(rolloutOutcomeKinds.map((kind) => [kind, 0])) as Record<
    RolloutOutcomeKind,
    number
  >;
  #settled = 0;
  #done = 0;
  #rewarded = 0;
  #rewardSum = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedMs = clock.nowMs();
  }

  add(what: Counted, count = 1): void {
    this.#counts[what] += count;
  }

  itemSettled(kind: ItemKind): void {
    this.#settled += 1;
    this.#kinds[kind] += 1;
  }

  /** @param outcome `cancelled` where a group no longer needed the rollout */
  rolloutSettled(outcome: RolloutOutcome | { kind: 'cancelled' }): void {
    this.#done += 1;
    this.#outcomes[outcome.kind] += 1;
    if (outcome.kind !== 'ok' || outcome.reward === undefined) return;
    this.#rewarded += 1;
    this.#rewardSum += outcome.reward;
  }

  snapshot(
    items: Pick<RunProgress['items'], 'total' | 'earlier' | 'active'>,
    { limit, isPaused }: RunPace,
  ): RunProgress {
    const { submitted } = this.#counts;
    return {
      items: { ...items, settled: this.#settled, kinds: { ...this.#kinds } },
      ...this.#counts,
      active: submitted - this.#done,
      done: this.#done,
      outcomes: { ...this.#outcomes },
      rewarded: this.#rewarded,
      meanReward: this.#rewarded === 0 ? undefined : this.#rewardSum / this.#rewarded,
      limit,
      isPaused,
      elapsedMs: this.#clock.nowMs() - this.#startedMs,
    };
  }
}

/** Of a run that was not opened yet. */
export function noProgress(pace: RunPace): RunProgress {
  const counter = new RunProgressCounter(backgroundClock);
  return { ...counter.snapshot({ total: undefined, earlier: 0, active: 0 }, pace), elapsedMs: 0 };
}

/** "120 of 1000 done, 64 active, 100 ok, 20 timeout, mean reward 0.500 over 100 of 120" */
export function formatProgress(progress: RunProgress): string {
  const { items, active, outcomes, meanReward, rewarded, done } = progress;
  const total = items.total === undefined ? '' : ` of ${items.total}`;
  const parts = [`${items.earlier + items.settled}${total} done`, `${active} active`];
  for (const [kind, count] of Object.entries(outcomes)) if (count > 0) parts.push(`${count} ${kind}`);
  if (meanReward !== undefined)
    parts.push(`mean reward ${meanReward.toPrecision(3)} over ${rewarded} of ${done}`);
  if (progress.isPaused) parts.push('paused');
  return parts.join(', ');
}
