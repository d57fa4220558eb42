import type { RewardProblem, RolloutOutcomeKind } from '@art/protocol';
import type { ItemKind } from '../items/item-state.ts';

/** How fast a run goes. */
export interface RunPace {
  /** Sessions that may be alive at once. */
  limit: number;
  /** True if no further item is opened. */
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
  /** Rollouts that were `ok` and had none, by what is wrong with it. */
  unrewarded: Record<RewardProblem['kind'], number>;
  /** Mean of their rewards, of the last turn; undefined while there is none. A failed rollout never counts as 0. */
  meanReward: number | undefined;
  /** Attempts that another one followed. */
  retried: number;
  /** How often the service answered "too many requests" to attempts that have ended. */
  throttled: number;
  /** Since the run was opened. */
  elapsedMs: number;
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
