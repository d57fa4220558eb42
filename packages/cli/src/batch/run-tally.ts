import type { BatchItem, Group } from '@art/client';
import type { RewardProblem, RolloutOutcome } from '@art/protocol';

/** What came of the items that this process saw. */
export class RunTally {
  readonly #counts = new Map<string, number>();
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

  /** "3 ok, 1 timeout, mean reward 0.5" */
  describe(): string {
    const counts = [...this.#counts].map(([kind, count]) => `${count} ${kind}`);
    const mean = this.#rewarded === 0 ? [] : [`mean reward ${round(this.#rewardSum / this.#rewarded)}`];
    return [...counts, ...mean].join(', ');
  }

  #add(kind: string, isGood: boolean, reward: number | undefined): void {
    this.#items += 1;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
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

function round(value: number): number {
  return Number(value.toPrecision(4));
}
