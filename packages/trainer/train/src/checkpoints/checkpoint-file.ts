import { DurableLines } from '../files/durable-lines.ts';

/** The data to continue a run from. A line of `checkpoints.jsonl`, written once the state is stored. */
export interface Checkpoint {
  event: 'checkpoint';
  /** Steps that the state has had. */
  step: number;
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
}

/** The best version so far, by its evaluation. A line of `checkpoints.jsonl`. */
export interface BestVersion {
  event: 'best';
  step: number;
  score: number;
  weights: string;
  /** Folder of the evaluation. */
  folder: string;
}

/** `checkpoints.jsonl` of a run, in a folder that is there. */
export class CheckpointFile {
  readonly #lines: DurableLines<Checkpoint | BestVersion>;

  constructor(path: string) {
    this.#lines = new DurableLines(path);
  }

  /** On the disk when it returns. */
  append(line: Checkpoint | BestVersion): void {
    this.#lines.append(line);
  }

  /** The last whole line of each kind. */
  last(): { checkpoint: Checkpoint | undefined; best: BestVersion | undefined } {
    const lines = this.#lines.all();
    return {
      checkpoint: lines.findLast((line) => line.event === 'checkpoint'),
      best: lines.findLast((line) => line.event === 'best'),
    };
  }
}
