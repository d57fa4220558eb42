import type { Version } from '../checkpoints/checkpoint-file.ts';
import { tasksDigest } from '../checkpoints/resume-point.ts';
import type { SettledGroup } from '../rollouts/settled-groups.ts';
import type { TrainSettings } from '../run/train-options.ts';
import type { DrawnTask, TrainingStep } from '../run/training-step.ts';
import type { StateRef, WeightsRef } from '../steps/index.ts';
import type { OpenLoop } from './open-loop.ts';

/** As many versions are kept by services for calls that are on their way. */
const stepsOnTheWay = 4;

/** The checkpoints of a run that is open, and the groups that wait for the next. */
export class RunCheckpoints {
  readonly #settings: Pick<TrainSettings, 'seed' | 'tasks'>;
  readonly #run: OpenLoop;
  /** Acknowledge groups that no checkpoint has seen. Their rows are gone. */
  readonly #unacknowledged: (() => Promise<void>)[] = [];

  constructor(settings: Pick<TrainSettings, 'seed' | 'tasks'>, run: OpenLoop) {
    this.#settings = settings;
    this.#run = run;
  }

  /** The next checkpoint covers these groups. @returns their tasks */
  cover(groups: readonly SettledGroup[]): DrawnTask[] {
    for (const { acknowledge } of groups) this.#unacknowledged.push(acknowledge);
    return this.#run.rollouts.noteTrained(groups);
  }

  /** Writes the line that names the state, then lets the journal forget the rollouts. */
  async write(
    version: Version,
    { state, weights }: StateRef & WeightsRef,
    made: TrainingStep,
  ): Promise<void> {
    const { seed, tasks } = this.#settings;
    const { checkpoints, base, rollouts, kept, evaluations, weights: first, step: from } = this.#run;
    checkpoints.append({
      event: 'checkpoint',
      ...version,
      state,
      weights,
      base: base?.weights,
      ...rollouts.trained,
      seed,
      tasksDigest: tasksDigest(tasks),
      made,
    });
    for (const acknowledge of this.#unacknowledged.splice(0)) await acknowledge();
    // The kept weights that this process began with: calls that are on their way can name them for some steps.
    const began = version.step < from + stepsOnTheWay ? first.weights : undefined;
    const { underWay } = evaluations ?? {};
    kept.prune([base?.weights, underWay?.weights, underWay?.state, began]);
  }
}
