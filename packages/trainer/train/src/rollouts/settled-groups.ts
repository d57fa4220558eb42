import type { Clock } from '@art/ground';
import { haveSpread, isSameFigure } from '@art/ground/figures';
import type { Group, GroupRows } from '@art/rollout';
import type { TrainingRow } from '@art/trajectories';
import { strangeNumber } from '../rows/captured-numbers.ts';
import { outlastGateway } from './outlast-gateway.ts';

/** The facts about a settled group that training needs. */
export interface SettledGroup {
  /** In the data. */
  position: number;
  /** The rewards of the members that have one. */
  rewards: readonly number[];
  /** Members that failed, or that nothing was captured of that can be trained on. */
  withoutRows: number;
  /** Why a member lost rows although it has a reward, where that is known. */
  problem: string | undefined;
  rows: readonly TrainingRow[];
  /** `no_spread`: all rewards are equal, so it says nothing. `failed`: too few members have a reward. */
  kind: 'trains' | 'no_spread' | 'failed';
  /** The error of a member that failed. */
  error: Error | undefined;
  acknowledge: () => Promise<void>;
}

/** Groups that wait to be trained. */
export class SettledGroups {
  readonly #waiting: SettledGroup[] = [];
  #failure: Error | undefined;
  #isGivenUp = false;
  #wake: (() => void) | undefined;

  /** Takes groups as they settle, until there are no more. @param onGroup called with each before anybody can take it */
  async collect(
    groups: AsyncIterable<Group<object>>,
    positionOf: (index: number) => number,
    {
      onGroup,
      ...wait
    }: { onGroup: (group: Group<object>) => Promise<void>; signal: AbortSignal; clock: Clock | undefined },
  ): Promise<void> {
    try {
      for await (const group of groups) {
        const captured = await outlastGateway(() => group.rows(), wait);
        const settled = settledGroup(group, captured, positionOf(group.index));
        await onGroup(group);
        this.#waiting.push(settled);
        this.#wake?.();
      }
    } catch (error) {
      this.#failure = error as Error;
      this.#wake?.();
    }
  }

  /** Nobody waits for groups any more. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#wake?.();
  }

  /**
   * So many groups, as soon as they are there; of those that are, the ones that were started first. None once they are given up.
   * @throws what ended the rollouts
   */
  async take(count: number): Promise<SettledGroup[]> {
    while (this.#waiting.length < count) {
      if (this.#isGivenUp) return [];
      if (this.#failure !== undefined) throw this.#failure;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    this.#waiting.sort((one, other) => one.position - other.position);
    return this.#waiting.splice(0, count);
  }
}

function settledGroup(
  group: Group<object>,
  { rows: captured, without }: GroupRows,
  position: number,
): SettledGroup {
  const strange = captured.map(strangeNumber);
  const rows = captured.filter((_, at) => strange[at] === undefined);
  const lost = new Set(captured.flatMap((row, at) => (strange[at] === undefined ? [] : [row.rollout_id])));
  for (const { rollout_id: kept } of rows) lost.delete(kept);
  const rewards = group.rewards.filter((reward) => reward !== undefined);
  // Turns with their own rewards can differ where the sums do not.
  const hasSpread =
    haveSpread(rewards) ||
    rows.some(({ advantages = [] }) => advantages.some((advantage) => !isSameFigure(advantage, 0)));
  const failed = [...group.members, ...group.leftOut].find((member) => 'error' in member);
  return {
    position,
    rewards,
    withoutRows: without.length + lost.size,
    problem:
      strange.find((problem) => problem !== undefined) ??
      without.find(({ problem }) => problem !== undefined)?.problem,
    rows,
    kind: !group.usable ? 'failed' : hasSpread ? 'trains' : 'no_spread',
    error: failed?.error,
    // Bound to nothing: a closure would hold the group with all its rows until the next checkpoint.
    acknowledge: group.acknowledge.bind(undefined),
  };
}
