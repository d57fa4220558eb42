import { createHash } from 'node:crypto';
import { sampleId, type SampleRecord } from '@art/trajectories';
import type { Task } from '../tasks/task.ts';
import { isAgentFailure } from '../records/score.ts';

/** One sample that is still to be run. */
export interface MissingSample {
  task: Task;
  sample: number;
  /** Names it in the run of rollouts, and in result keys. */
  inputId: string;
}

/** Samples that have a line: those that are done, and how often others were run in vain. */
export class KnownSamples {
  readonly #done = new Set<string>();
  readonly #inVain = new Map<string, number>();
  readonly #tasks = new Set<string>();

  get doneCount(): number {
    return this.#done.size;
  }

  /** Lines in their order: where a sample has several, the last one counts. */
  add(record: SampleRecord): void {
    const { id } = record;
    this.#tasks.add(record.taskId);
    if (isDone(record)) this.#done.add(id);
    else this.#inVain.set(id, (this.#inVain.get(id) ?? 0) + 1);
  }

  /** Yields the samples that are to be run, and returns how many tasks the run has: these, and others that have samples. */
  async *missing(
    tasks: AsyncIterable<Task>,
    samples: number,
  ): AsyncGenerator<MissingSample, number, undefined> {
    const others = new Set(this.#tasks);
    let count = 0;
    for await (const task of tasks) {
      count += 1;
      others.delete(task.id);
      for (let sample = 0; sample < samples; sample += 1) {
        const id = sampleId(task.id, sample);
        if (this.#done.has(id)) continue;
        const inVain = this.#inVain.get(id) ?? 0;
        // Run again it is another item, for the journal has the first one as dealt with.
        yield { task, sample, inputId: inputIdOf(task.id, sample, inVain) };
      }
    }
    return count + others.size;
  }
}

/**
 * True for a sample that is not run again. A failure of the infrastructure says nothing of the agent, so running it again repeats nothing.
 */
export function isDone({ outcome }: SampleRecord): boolean {
  return outcome === 'ok' || isAgentFailure(outcome);
}

/** Part of a result key: of characters that no store and no address writes otherwise. */
function inputIdOf(taskId: string, sample: number, inVain: number): string {
  const id = `${taskId}.${sample}${inVain === 0 ? '' : `-r${inVain}`}`;
  if (/^\w[\w.-]{0,199}$/.test(id)) return id;
  return `sample-${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
