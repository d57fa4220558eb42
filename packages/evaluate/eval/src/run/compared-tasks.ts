import { isDeepStrictEqual } from 'node:util';
import { ArtError, plainJson } from '@art/ground';
import { type RecordedTask, RecordedTasks } from '../records/recorded-tasks.ts';
import type { RunRecord } from '../records/run-record.ts';
import type { Task } from '../tasks/task.ts';
import type { TaskSource } from '../tasks/task-source.ts';

const mostNamed = 5;

/**
 * The tasks of a run that continues. They may be in another order, more or fewer: a task that is no longer given keeps its samples. A task
 * that has samples must be as it was.
 * @throws ArtError `ART_JOURNAL_PAYLOADS_CHANGED` with the ids of tasks that were changed
 */
export async function comparedTasks(
  folder: string,
  { tasks: known }: RunRecord,
  given: TaskSource,
): Promise<RunRecord['tasks']> {
  const { count, digest } = given;
  // What can be read only once is compared by the journal, as far as its samples are under way.
  if (count === undefined || digest === undefined || digest === known.digest) return known;
  const recorded = await RecordedTasks.open(folder);
  const leftOut = new Set(recorded.ids);
  const changed: string[] = [];
  for await (const task of given.open()) {
    leftOut.delete(task.id);
    // A transcript that a power failure has torn says nothing.
    const was = await recorded.read(task.id).catch(() => undefined);
    if (was !== undefined && !isDeepStrictEqual(was, asRecorded(task))) changed.push(task.id);
  }
  if (changed.length > 0) throw tasksChanged(folder, given.name, changed);
  return { ...known, count: count + leftOut.size, digest: leftOut.size === 0 ? digest : null };
}

function asRecorded({ payload, expected = null }: Task): RecordedTask {
  return JSON.parse(plainJson({ payload, expected })) as RecordedTask;
}

function tasksChanged(folder: string, source: string, ids: readonly string[]): ArtError {
  const named = ids.slice(0, mostNamed).map((id) => JSON.stringify(id.slice(0, 60)));
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : '';
  return new ArtError({
    code: 'ART_JOURNAL_PAYLOADS_CHANGED',
    message: `Expected the tasks that the run in ${folder} has samples of to be as they were, got another payload or expected answer in ${source} for task ${named.join(', ')}${more}. Give the same ones, or begin a new run. A task without an \`id\` is named by its position: give ids to tasks that may be reordered or filtered.`,
  });
}
