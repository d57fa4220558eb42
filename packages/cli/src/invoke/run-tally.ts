import type { BatchItem, Group } from '@art/client';
import type { RewardProblem, RolloutOutcome } from '@art/protocol';

interface KindCount {
  items: number;
  rewarded: number;
}

/** What came of the items that this process saw. */
export class RunTally {
  readonly #counts = new Map<string, KindCount>();
  #rewardSum = 0;
  #rewarded = 0;
  #items = 0;
  #failed = 0;

  addItem({ outcome }: Pick<BatchItem, 'outcome'>): void {
    const isOk = outcome.kind === 'ok';
    this.#add(countedAs(outcome), isOk, isOk ? outcome.reward : undefined);
  }

  addGroup({ kind, usable, meanReward }: Pick<Group, 'kind' | 'usable' | 'meanReward'>): void {
    this.#add(kind, usable, meanReward);
  }

  get items(): number {
    return this.#items;
  }

  /** Rollouts that are not `ok`, or groups that are not usable. */
  get failed(): number {
    return this.#failed;
  }

  /** "3 items, 1 ok; mean reward 1.0 over 1 of 3 (1 agent_error, 1 lost)" */
  describe(): string {
    const whole = `${this.#items} item${this.#items === 1 ? '' : 's'}`;
    if (this.#items === 0) return whole;
    const left = this.#listOf((count) => count.rewarded < count.items);
    const unrewarded = left === '' ? '' : ` (${left})`;
    const kept = this.#listOf((count) => count.rewarded > 0);
    const parts = kept === '' ? whole : `${whole}, ${kept}`;
    if (this.#rewarded === 0) return `${parts}; no reward${unrewarded}`;
    const mean = oneDecimal(this.#rewardSum / this.#rewarded);
    return `${parts}; mean reward ${mean} over ${this.#rewarded} of ${this.#items}${unrewarded}`;
  }

  #listOf(isMeant: (count: KindCount) => boolean): string {
    return [...this.#counts]
      .filter(([, count]) => isMeant(count))
      .map(([kind, count]) => `${count.items} ${kind}`)
      .join(', ');
  }

  #add(kind: string, isGood: boolean, reward: number | undefined): void {
    this.#items += 1;
    const count = this.#counts.get(kind) ?? { items: 0, rewarded: 0 };
    this.#counts.set(kind, count);
    count.items += 1;
    if (reward !== undefined) count.rewarded += 1;
    if (!isGood) this.#failed += 1;
    if (reward === undefined) return;
    this.#rewarded += 1;
    this.#rewardSum += reward;
  }
}

// Apart, since each is mended elsewhere: no reward computed, an empty list of turns, a value of the wrong type.
const withoutReward: Record<RewardProblem['kind'], string> = {
  absent: 'ok without rewards',
  empty: 'ok with an empty list of rewards',
  not_a_number: 'ok with rewards that are no number',
  not_finite: 'ok with rewards that are not finite',
};

function countedAs(outcome: RolloutOutcome): string {
  const problem = outcome.kind === 'ok' ? outcome.rewardProblem : undefined;
  return problem === undefined ? outcome.kind : withoutReward[problem.kind];
}

/** Four digits that matter, and one behind the point at least, by which a reward is told from a count. */
function oneDecimal(value: number): string {
  const rounded = Number(value.toPrecision(4));
  return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded);
}
