import type { TrainSettings } from '../run/train-options.ts';
import type { SettledGroup } from './settled-groups.ts';
import type { StartedRollouts } from './started-rollouts.ts';
import { chanceOf } from './task-draw.ts';

type StepSettings = Pick<
  TrainSettings,
  'groupsPerStep' | 'minTrainedGroups' | 'maxRefilledGroups' | 'klCoefficient' | 'teacher'
>;

/**
 * The groups of each step. One group alone would pull the whole policy its way: further ones are taken in place of those that teach nothing, and what is
 * too little in the end waits for the next step.
 */
export class StepGroups {
  readonly #settings: StepSettings;
  readonly #rollouts: Pick<StartedRollouts, 'take' | 'release'>;
  #waiting: readonly SettledGroup[] = [];

  constructor(settings: StepSettings, rollouts: Pick<StartedRollouts, 'take' | 'release'>) {
    this.#settings = settings;
    this.#rollouts = rollouts;
  }

  /**
   * The groups of the next step, and those of them that are to train; none where the rollouts are given up.
   * @throws what ended the rollouts
   */
  async take(): Promise<{ groups: SettledGroup[]; taught: SettledGroup[]; refilled: number }> {
    const { groupsPerStep, minTrainedGroups, maxRefilledGroups = 2 * groupsPerStep } = this.#settings;
    const least = Math.min(minTrainedGroups, groupsPerStep);
    const groups = await this.#rollouts.take(groupsPerStep);
    if (groups.length === 0) return { groups, taught: [], refilled: 0 };
    groups.push(...this.#waiting);
    for (let refilled = 0; ;) {
      // Tasks that teach much are drawn before others: in that order a guard would see halves of a pass that differ.
      const taught = groups
        .filter((group) => this.#teaches(group))
        .toSorted((one, other) => chanceOf(`${one.position}`) - chanceOf(`${other.position}`));
      // Where nothing was captured at all, more of the same is money burnt: a guard says so.
      const isWorthIt = groups.some(({ rows }) => rows.length > 0);
      const more = isWorthIt ? Math.min(least - taught.length, maxRefilledGroups - refilled) : 0;
      if (more <= 0) {
        const isEnough = taught.length >= least;
        this.#waiting = isEnough ? [] : taught;
        return { groups, taught: isEnough ? taught : [], refilled };
      }
      this.#rollouts.release(more);
      const others = await this.#rollouts.take(more);
      if (others.length === 0) return { groups: [], taught: [], refilled };
      refilled += more;
      groups.push(...others);
    }
  }

  /** True if a group was taken, and is kept for the next step. */
  waits(group: SettledGroup): boolean {
    return this.#waiting.includes(group);
  }

  /** Without spread all advantages are 0, unless staying near the base model, or the teacher, is worth something. */
  #teaches({ kind, rows }: SettledGroup): boolean {
    const { klCoefficient, teacher } = this.#settings;
    const saysMore = klCoefficient > 0 || teacher !== undefined;
    return rows.length > 0 && (kind === 'trains' || (kind === 'no_spread' && saysMore));
  }
}
