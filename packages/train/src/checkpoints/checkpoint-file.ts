import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync } from 'node:fs';

/** What a run can be gone on with from. A line of `checkpoints.jsonl`, written once the state is stored. */
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
  /** Of the tasks. */
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
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** On the disk when it returns. */
  append(line: Checkpoint | BestVersion): void {
    const file = openSync(this.#path, 'a');
    try {
      // A line that was torn by a crash is ended first.
      appendFileSync(file, `${this.#isTorn() ? '\n' : ''}${JSON.stringify(line)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  /** The last whole line of each kind. */
  last(): { checkpoint: Checkpoint | undefined; best: BestVersion | undefined } {
    let checkpoint: Checkpoint | undefined;
    let best: BestVersion | undefined;
    for (const text of this.#read().split('\n')) {
      const line = parseLine(text);
      if (line?.event === 'checkpoint') checkpoint = line;
      if (line?.event === 'best') best = line;
    }
    return { checkpoint, best };
  }

  #isTorn(): boolean {
    const text = this.#read();
    return text !== '' && !text.endsWith('\n');
  }

  #read(): string {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }
}

function parseLine(text: string): Checkpoint | BestVersion | undefined {
  try {
    return JSON.parse(text) as Checkpoint | BestVersion;
  } catch {
    return undefined;
  }
}
