import type { Clock } from '@art/ground';
import { haveSpread, isSameFigure } from '@art/ground/figures';
import type { Group, GroupRows } from '@art/rollout';
import type { TrainingRow } from '@art/trajectories';
import { outlastGateway } from './outlast-gateway.ts';

/** The facts about a settled group that training needs. */
export interface SettledGroup {
  /** In the data. */
  position: number;
  /** The rewards of the members that have one. */
  rewards: readonly number[];
  /** Members that failed, or that nothing was captured of. */
  withoutRows: number;
  /** Why one of them has none although it has a reward, where that is known. */
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
  #wake: (() => void) | undefined;

  /** Takes groups as they settle, until there are no more. @param onGroup told of each before anybody can take it */
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

  /** So many groups, as soon as they are there; of those that are, the ones that were started first. @throws what ended the rollouts */
  async take(count: number): Promise<SettledGroup[]> {
    while (this.#waiting.length < count) {
      if (this.#failure !== undefined) throw this.#failure;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    this.#waiting.sort((one, other) => one.position - other.position);
    return this.#waiting.splice(0, count);
  }
}

function settledGroup(group: Group<object>, { rows, without }: GroupRows, position: number): SettledGroup {
  const rewards = group.rewards.filter((reward) => reward !== undefined);
  // Turns with rewards of their own can differ where the sums do not.
  const hasSpread =
    haveSpread(rewards) ||
    rows.some(({ advantages = [] }) => advantages.some((advantage) => !isSameFigure(advantage, 0)));
  const failed = [...group.members, ...group.leftOut].find((member) => 'error' in member);
  return {
    position,
    rewards,
    withoutRows: without.length,
    problem: without.find(({ problem }) => problem !== undefined)?.problem,
    rows,
    kind: !group.usable ? 'failed' : hasSpread ? 'trains' : 'no_spread',
    error: failed?.error,
    acknowledge: () => group.acknowledge(),
  };
}
