import { createHash } from 'node:crypto';
import { ArtError, describeValue, stringifyJson, refuseData } from '@art/ground';
import { readTask, type Task, type TaskInput } from './task.ts';
import { type DataOptions, openTaskFile, type TaskFile } from './open-task-file.ts';
import type { SelectTasks } from './task-selection.ts';
import { PlacedTask } from './placed-task.ts';

/** Where tasks come from: a path, a list, or anything that can be iterated, also a function that makes it. */
export type Tasks =
  | string
  | Iterable<TaskInput>
  | AsyncIterable<TaskInput>
  | (() => Iterable<TaskInput> | AsyncIterable<TaskInput>);

/** Tasks that have been looked at. */
export interface TaskSource {
  name: string;
  /** Undefined where the source can be read only once, and so was not read yet. */
  count: number | undefined;
  /** Digest of all tasks, by which a run that continues knows that they are the same. */
  digest: string | undefined;
  /** SHA-256 of the files that they come from; undefined for others. */
  sha256?: string | undefined;
  open: () => AsyncGenerator<Task, void, undefined>;
}

/**
 * Looks at tasks before anything is sent: what can be read twice is read to its end, so that a mistake in the last line costs nothing.
 * @param limit most tasks that are taken
 * @param select which of them
 * @param data how a path is read
 * @throws ArtError `ART_INVALID_PAYLOAD`, `ART_INVALID_OPTION`
 */
export async function openTasks(
  tasks: Tasks,
  limit = Infinity,
  select: SelectTasks = allTasks,
  data: DataOptions = {},
): Promise<TaskSource> {
  const name = typeof tasks === 'string' ? tasks : 'tasks of the program';
  const inputs: TaskFile =
    typeof tasks === 'string' ? await openTaskFile(tasks, data) : { open: opener(tasks) };
  const open = (): AsyncGenerator<Task, void, undefined> =>
    firstTasks(select(checkedTasks(inputs.open(), name)), limit);
  // A generator, or a module's stream, comes only once.
  const isRepeatable = typeof tasks === 'string' ? inputs.isRepeatable === true : Array.isArray(tasks);
  if (!isRepeatable) return { name, count: undefined, digest: undefined, open };
  const hash = createHash('sha256');
  let count = 0;
  for await (const { id, payload, expected } of open()) {
    hash.update(stringifyJson([id, payload, expected ?? null]));
    count += 1;
  }
  if (count === 0)
    refuseData(
      'one task at least',
      `none in ${name}${select === allTasks ? '' : ' that the selection leaves'}`,
    );
  return { name, count, digest: hash.digest('hex').slice(0, 16), sha256: inputs.sha256, open };
}

function opener(tasks: Exclude<Tasks, string>): () => Iterable<TaskInput> | AsyncIterable<TaskInput> {
  if (typeof tasks === 'function') return tasks;
  const isIterable =
    typeof tasks === 'object' &&
    tasks !== null &&
    (Symbol.iterator in tasks || Symbol.asyncIterator in tasks);
  if (!isIterable) refuseData('`tasks` to be a path, a list or an async iterable', describeValue(tasks));
  return () => tasks;
}

async function* checkedTasks(
  inputs: Iterable<TaskInput> | AsyncIterable<TaskInput>,
  name: string,
): AsyncGenerator<Task, void, undefined> {
  const seen = new Set<string>();
  let number = 0;
  for await (const input of inputs) {
    number += 1;
    const task = input instanceof PlacedTask ? input.task : readTask(input, String(number), `task ${number}`);
    if (seen.has(task.id)) {
      throw new ArtError({
        code: 'ART_INVALID_PAYLOAD',
        message: `Expected tasks with their own ids, got ${JSON.stringify(task.id)} twice in ${name}.`,
      });
    }
    seen.add(task.id);
    yield task;
  }
}

async function* allTasks(tasks: AsyncIterable<Task>): AsyncGenerator<Task, void, undefined> {
  yield* tasks;
}

async function* firstTasks(tasks: AsyncIterable<Task>, limit: number): AsyncGenerator<Task, void, undefined> {
  let number = 0;
  for await (const task of tasks) {
    yield task;
    number += 1;
    if (number >= limit) return;
  }
}
