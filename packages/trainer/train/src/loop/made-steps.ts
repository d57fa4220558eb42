import { plainMean } from '@art/eval/statistics';
import { join } from 'node:path';
import type { Checkpoint } from '../checkpoints/checkpoint-file.ts';
import { DurableLines } from '../files/durable-lines.ts';
import type { DrawnTask, TrainingStep } from '../run/training-step.ts';

const rewardsInMean = 10;

/**
 * The steps that a run has made, each once, in `metrics.jsonl`. What a process that was killed made behind its last checkpoint is made again, so its
 * lines go.
 */
export class MadeSteps {
  readonly #file: DurableLines<TrainingStep>;
  /** The tasks that the steps have taken, in order. */
  readonly drawn: readonly DrawnTask[];
  readonly #rewards: number[];
  /** Steps in a row up to the last one in which no group had two different rewards. */
  readonly withoutSpread: number;

  /** @param resumed the checkpoint that the run continues from */
  constructor(directory: string, resumed: Checkpoint | undefined) {
    this.#file = new DurableLines(join(directory, 'metrics.jsonl'));
    const found = this.#file.all();
    const from = resumed?.step ?? 0;
    const byStep = new Map(found.filter(({ step }) => step <= from).map((made) => [made.step, made]));
    // Killed between the two files.
    if (resumed?.made !== undefined && !byStep.has(from)) byStep.set(from, resumed.made);
    const made = [...byStep.values()].toSorted((one, other) => one.step - other.step);
    if (found.length !== made.length || found.some(({ step }, at) => step !== made[at]!.step))
      this.#file.replace(made);
    this.drawn = made.flatMap(({ drawn }) => drawn);
    this.#rewards = made.flatMap(({ reward }) => (reward === undefined ? [] : [reward]));
    const judged = made.filter(({ rollouts }) => rollouts > 0);
    this.withoutSpread = judged.length - 1 - judged.findLastIndex(({ groups }) => groups.trained > 0);
  }

  /** The mean of the last ten steps that have a reward, with this one; undefined where none has. */
  rewardOfTen(reward: number | undefined): number | undefined {
    const last = [...this.#rewards, ...(reward === undefined ? [] : [reward])].slice(-rewardsInMean);
    return last.length === 0 ? undefined : plainMean(last);
  }

  /** On the disk when it returns. */
  append(step: TrainingStep): void {
    if (step.reward !== undefined) this.#rewards.push(step.reward);
    this.#file.append(step);
  }
}
