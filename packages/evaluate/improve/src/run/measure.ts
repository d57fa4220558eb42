import type { SampleRecord } from '@art/trajectories';
import { evaluate, type EvaluateOptions, type Task } from '@art/eval';
import { readResults, readSamples } from '@art/eval/records';

/** Rollouts of a task whose infrastructure failed, until the task is given up. */
const mostTries = 3;

/** Result of an evaluation. */
export interface Measured {
  folder: string;
  /** The last sample of each task that has one. */
  samples: ReadonlyMap<string, SampleRecord>;
  /** By task; null where the infrastructure or the judge failed, which is not 0. */
  scores: ReadonlyMap<string, number | null>;
  /** How many rollouts are written down, those whose infrastructure failed included. */
  rollouts: number;
}

/** True if every task has a score. */
export function isWholeMeasure({ scores }: Measured): boolean {
  return [...scores.values()].every((score) => score !== null);
}

/**
 * Evaluates prompts on tasks, in a folder of `evaluate`, or continues with that. Tasks whose infrastructure failed are run again, as far
 * as the allowance goes.
 * @param allowance most rollouts that may come to stand in the folder
 */
export async function measure(
  options: EvaluateOptions & { folder: string; tasks: readonly Task[] },
  allowance: number,
): Promise<Measured> {
  const { folder, tasks } = options;
  for (let before: string | undefined; ;) {
    const { measured, tries } = await readMeasured(folder, tasks);
    const triesOf = ({ id }: Task): number => tries.get(id)?.size ?? 0;
    const open = tasks.filter((task) => measured.scores.get(task.id) === null && triesOf(task) < mostTries);
    const room = allowance - measured.rollouts;
    // What was never tried comes first where not everything can be.
    const next =
      open.length <= room ? open : open.filter((task) => triesOf(task) === 0).slice(0, Math.max(0, room));
    // The figures of a process that was killed are missing, or older than its samples.
    const isFinished = (await readResults(folder))?.samples.recorded === measured.samples.size;
    const now = JSON.stringify([...measured.scores.values(), measured.rollouts]);
    const run = tasks.filter((task) => next.includes(task) || measured.scores.get(task.id) !== null);
    if ((next.length === 0 && isFinished) || now === before || run.length === 0) return measured;
    before = now;
    // Every rollout is counted, so that none is repeated but here.
    await evaluate({ ...options, tasks: run, retry: { lost: 0, infra_error: 0 } });
  }
}

/** How many rollouts are written down in a folder of an evaluation. */
export async function countRollouts(folder: string): Promise<number> {
  return (await readMeasured(folder, [])).measured.rollouts;
}

async function readMeasured(
  folder: string,
  tasks: readonly Task[],
): Promise<{ measured: Measured; tries: ReadonlyMap<string, ReadonlySet<string | null>> }> {
  const samples = new Map<string, SampleRecord>();
  const tries = new Map<string, Set<string | null>>();
  for await (const { record } of readSamples(folder)) {
    samples.set(record.taskId, record);
    const known = tries.get(record.taskId) ?? new Set();
    // A sample that was only judged again keeps the id of its rollout.
    tries.set(record.taskId, known.add(record.inputId));
  }
  const scores = new Map(tasks.map(({ id }) => [id, samples.get(id)?.score ?? null]));
  const rollouts = [...tries.values()].reduce((total, { size }) => total + size, 0);
  return { measured: { folder, samples, scores, rollouts }, tries };
}
