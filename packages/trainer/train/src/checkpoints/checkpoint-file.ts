import { DurableLines } from '../files/durable-lines.ts';
import type { TrainingStep } from '../run/training-step.ts';

/**
 * Weights of a run. Two processes can make the same step with different rollouts, so a step alone names none: the session that made it
 * does, too.
 */
export interface Version {
  /** Name of the training session that made the last step. */
  session: string;
  /** Optimizer steps that the weights have had. */
  step: number;
}

/** The name of a version at the service, and in the folder of the run. */
export function versionName({ session, step }: Version): string {
  return `step-${String(step).padStart(5, '0')}-${session}`;
}

/** The data to continue a run from. A line of `checkpoints.jsonl`, written once the state is stored. */
export interface Checkpoint extends Version {
  event: 'checkpoint';
  state: string;
  /** For sampling, of the same step. */
  weights: string;
  /** The base model for sampling, where staying near it is worth something. */
  base: string | undefined;
  /** The first position of the data that was not trained. */
  position: number;
  /** Positions behind it that were. */
  trainedAhead: readonly number[];
  seed: number;
  /** The digest of the tasks. */
  tasksDigest: string;
  /** The step as `metrics.jsonl` has it; absent where a run went back to its best version. */
  made?: TrainingStep | undefined;
  /** Only where a run went back to its best version: because somebody asked for it, or because it fell. */
  wentBack?: 'asked' | 'fell' | undefined;
}

/** A version that was measured. A line of `checkpoints.jsonl`. */
export interface MeasuredVersion extends Version {
  event: 'evaluation';
  /** Absent where too little could be judged. */
  score: number | undefined;
  /** Tasks that the score is of. Absent in runs of earlier versions. */
  tasks?: number;
  /** Difference from the best version before, over the tasks of both; only with `evaluation.until`, where scores are of different tasks. */
  fromBest?: number | undefined;
  weights: string;
  /** To continue from it. */
  state: string;
  /** Folder of the evaluation. */
  folder: string;
  /** True if it was better than all before. */
  isBest: boolean;
}

/** Something that the service keeps until it is deleted, or has deleted. A line of `checkpoints.jsonl`. */
export interface KeptSave {
  event: 'kept' | 'deleted';
  /** Weights or a state, as the service names them. */
  save: string;
  /** True if it is a state. */
  isState: boolean;
}

/** `checkpoints.jsonl` of a run, in a folder that is there. */
export class CheckpointFile {
  readonly #lines: DurableLines<Checkpoint | MeasuredVersion | KeptSave>;

  constructor(path: string) {
    this.#lines = new DurableLines(path);
  }

  /** On the disk when it returns. */
  append(line: Checkpoint | MeasuredVersion | KeptSave): void {
    this.#lines.append(line);
  }

  /** In the order in which they were saved. */
  checkpoints(): Checkpoint[] {
    return this.#lines.all().filter((line) => line.event === 'checkpoint');
  }

  /** In the order in which they were measured. */
  measured(): MeasuredVersion[] {
    return this.#lines.all().filter((line) => line.event === 'evaluation');
  }

  /**
   * The scores behind the best one, in the steps up to one that a run continues from. Versions that it went back from, and those of a process that was
   * killed behind its last checkpoint, are no part of it.
   */
  scoresSinceBest(step: number): (number | undefined)[] {
    let own = new Map<number, MeasuredVersion>();
    let best: MeasuredVersion | undefined;
    const until = (last: number): typeof own => new Map([...own].filter(([at]) => at <= last));
    for (const line of this.#lines.all()) {
      if (line.event === 'checkpoint' && line.wentBack !== undefined) own = until(line.step);
      if (line.event !== 'evaluation') continue;
      // Measured anew behind the others.
      own.delete(line.step);
      own.set(line.step, line);
      if (line.isBest) best = line;
    }
    const scores = [...until(step)];
    return scores
      .slice(scores.findIndex(([at]) => at === best?.step) + 1)
      .map(([, { score, fromBest }]) => (fromBest === undefined ? score : best!.score! + fromBest));
  }

  /** Everything that was kept and not deleted. */
  kept(): KeptSave[] {
    const kept = new Map<string, KeptSave>();
    for (const line of this.#lines.all()) {
      if (line.event === 'kept') kept.set(line.save, line);
      else if (line.event === 'deleted') kept.delete(line.save);
    }
    return [...kept.values()];
  }
}
