import { basename, resolve } from 'node:path';
import { describeValue, refuseOption } from '@art/ground';
import { readTasks } from '@art/eval';
import type { TrainOptions } from '@art/train';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { filledArgument } from '../arguments/text-argument.ts';

/** A file with tasks, and its weight among the others. */
export interface WeightedTaskFile {
  file: string;
  weight: number;
}

/** Reads `tasks.jsonl`, or `tasks.jsonl=3`. */
export function taskFileArgument(
  text: string,
  before: readonly WeightedTaskFile[] = [],
): readonly WeightedTaskFile[] {
  const [, file = filledArgument(text), weight = '1'] = /^(.+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (Number(weight) > 0) return [...before, { file, weight: Number(weight) }];
  throw new InvalidArgumentError(`Expected a weight above 0 behind the file, got ${describeValue(text)}.`);
}

/**
 * The payloads of the files: a list of one, a mixture of several.
 * @throws ArtError `ART_INVALID_OPTION`; what `readTasks` throws
 */
export async function taskFiles(
  files: readonly WeightedTaskFile[] = [],
  cwd: string,
): Promise<{ tasks: TrainOptions['tasks']; count: number }> {
  if (files.length === 0) refuseOption('--tasks', 'a file with tasks', undefined);
  const parts = await Promise.all(
    files.map(async ({ file, weight }) => {
      const tasks = await readTasks(resolve(cwd, file));
      return [basename(file), { weight, tasks: tasks.map(({ payload }) => payload) }] as const;
    }),
  );
  const twice = parts.find(([name], at) => parts.findIndex(([other]) => other === name) < at)?.[0];
  if (twice !== undefined) refuseOption('--tasks', 'files of different names', twice);
  const count = parts.reduce((sum, [, { tasks }]) => sum + tasks.length, 0);
  return { tasks: parts.length === 1 ? parts[0]![1].tasks : Object.fromEntries(parts), count };
}
