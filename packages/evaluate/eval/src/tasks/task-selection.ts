import { aNumber, ArtError, custom, optional, type OptionRules, readOptions } from '@art/ground';
import { isAtLeast } from '@art/ground/figures';
import { readRunRecord } from '../records/run-record.ts';
import { readScores } from '../results/task-scores.ts';
import { randomSource } from '../statistics/random-source.ts';
import type { Task } from './task.ts';

/** Which tasks of a source are taken. What is given must all hold. */
export interface TaskSelection {
  /** Tasks with these ids. */
  ids?: readonly string[] | undefined;
  /** Tasks with one of these tags. */
  tags?: readonly string[] | undefined;
  /** Folder of a run: tasks that it has no passed sample of, or one that did not pass or was not judged. */
  failedIn?: string | undefined;
  /** So many of the others, drawn by the run's seed, in the order of the source. */
  draw?: number | undefined;
}

const texts = custom<readonly string[]>(
  'a list of texts',
  (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((text) => typeof text === 'string' && text !== ''),
);

const rules = {
  ids: optional(texts),
  tags: optional(texts),
  failedIn: optional(
    custom<string>('the folder of a run', (value) => typeof value === 'string' && value !== ''),
  ),
  draw: optional(aNumber({ min: 1, integer: true })),
} satisfies OptionRules<TaskSelection>;

/** Takes of tasks those that are meant. It may be called more than once. */
export type SelectTasks = (tasks: AsyncIterable<Task>) => AsyncGenerator<Task, void, undefined>;

/**
 * @param seed of the draw
 * @throws ArtError `ART_INVALID_OPTION` for a selection that makes no sense, and a folder without a run. So do the tasks that come out, before the
 *   first one, for an id or a tag that none of them has
 */
export async function selectTasks(selection: TaskSelection, seed: number): Promise<SelectTasks> {
  const { ids, tags, failedIn, draw } = readOptions('select', selection, rules);
  const passed = failedIn === undefined ? undefined : await passedTasks(failedIn);
  const isMeant = (task: Task): boolean =>
    (ids === undefined || ids.includes(task.id)) &&
    (tags === undefined || tags.some((tag) => task.tags.includes(tag))) &&
    passed?.has(task.id) !== true;
  async function* meant(tasks: AsyncIterable<Task>): AsyncGenerator<Task, void, undefined> {
    const [missingIds, missingTags] = [new Set(ids), new Set(tags)];
    // Held back until all names are known, so that a wrong one costs nothing.
    let held: Task[] = [];
    for await (const task of tasks) {
      missingIds.delete(task.id);
      for (const tag of task.tags) missingTags.delete(tag);
      if (isMeant(task)) held.push(task);
      if (missingIds.size > 0 || missingTags.size > 0) continue;
      yield* held;
      held = [];
      // No other task has one of these ids.
      if (ids !== undefined) return;
    }
    refuseMissing('id', missingIds);
    refuseMissing('tag', missingTags);
  }
  return draw === undefined ? meant : (tasks) => drawn(meant(tasks), draw, randomSource(seed));
}

/** Algorithm R of Vitter (1985): the tasks are read once, and no more are kept than are drawn. */
async function* drawn(
  tasks: AsyncIterable<Task>,
  count: number,
  random: () => number,
): AsyncGenerator<Task, void, undefined> {
  const kept: { task: Task; place: number }[] = [];
  let place = 0;
  for await (const task of tasks) {
    const at = kept.length < count ? kept.length : Math.floor(random() * (place + 1));
    if (at < count) kept[at] = { task, place };
    place += 1;
  }
  for (const { task } of kept.toSorted((first, second) => first.place - second.place)) yield task;
}

/** Tasks of which every sample that was wanted has passed. */
async function passedTasks(folder: string): Promise<Set<string>> {
  const [{ samples, passReward }, { tasks }] = await Promise.all([readRunRecord(folder), readScores(folder)]);
  const passed = [...tasks].filter(([, task]) => {
    const scores = [...task.samples.values()];
    return (
      scores.length >= samples && scores.every(({ score }) => score !== null && isAtLeast(score, passReward))
    );
  });
  return new Set(passed.map(([taskId]) => taskId));
}

function refuseMissing(what: 'id' | 'tag', missing: ReadonlySet<string>): void {
  const [first] = missing;
  if (first === undefined) return;
  const more = missing.size === 1 ? '' : `, nor ${missing.size - 1} others that were asked for`;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected tasks with the ${what} ${JSON.stringify(first)}, got none that has it${more}. Look at the tasks for its spelling.`,
  });
}
