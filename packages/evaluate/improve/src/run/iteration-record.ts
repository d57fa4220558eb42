import { join } from 'node:path';
import { JsonLinesFile, readJsonLines } from '@art/ground';
import { isJsonObject } from '@art/ground';
import type { Prompts } from '../search/prompt-search.ts';

/**
 * How an iteration ended. `start`: the prompts in the agent's code were measured. `accepted`, `rejected`: the child did better on the
 * minibatch than its parent, or not. `perfect`: nothing can be learnt of the minibatch. `unchanged`: the reflecting model changed
 * nothing. `excluded`: the infrastructure or the judge failed too often for a comparison.
 */
export type IterationVerdict = 'start' | 'accepted' | 'rejected' | 'perfect' | 'unchanged' | 'excluded';

/** A line of `iterations.jsonl`: one iteration of a search, whole. Members are null where it did not come that far. */
export interface IterationRecord {
  schema: 'art.improve-iteration.v1';
  /** From 1; 0 measured the prompts in the agent's code. */
  iteration: number;
  verdict: IterationVerdict;
  /** Number of the candidate that it made; null where it made none. */
  candidate: number | null;
  /** Number of the candidate that it began with. */
  parent: number | null;
  /** Name of the prompt that was rewritten. */
  prompt: string | null;
  /** All prompts of the child. */
  prompts: Prompts | null;
  /** Training tasks of the minibatch; where one is there twice, the second is a task `id (2)`. */
  tasks: string[];
  /** Scores of the tasks, in their order. */
  parentScores: (number | null)[] | null;
  childScores: (number | null)[] | null;
  /** Scores of an accepted child by validation task. */
  validation: Record<string, number> | null;
  /** Mean of `validation`. */
  mean: number | null;
  /** The whole answer of the reflecting model. */
  reflection: string | null;
  /** Rollouts that it took. */
  rollouts: number;
}

/** The iterations of a run in their order, those of earlier processes first. */
export class IterationLog implements AsyncDisposable {
  readonly records: IterationRecord[];
  readonly #file: JsonLinesFile;

  private constructor(file: JsonLinesFile, records: IterationRecord[]) {
    this.#file = file;
    this.records = records;
  }

  static async open(folder: string): Promise<IterationLog> {
    const path = join(folder, 'iterations.jsonl');
    const file = await JsonLinesFile.open(path);
    const records: IterationRecord[] = [];
    for await (const { value } of readJsonLines(path)) if (isIteration(value)) records.push(value);
    return new IterationLog(file, records);
  }

  /** Resolves when no end of the process, and no power failure, can take it back. */
  async append(record: IterationRecord): Promise<void> {
    await this.#file.append(record);
    await this.#file.sync();
    this.records.push(record);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

function isIteration(value: unknown): value is IterationRecord {
  return isJsonObject(value) && value['schema'] === 'art.improve-iteration.v1';
}
