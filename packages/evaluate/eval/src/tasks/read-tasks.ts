import type { Task } from './task.ts';
import type { DataOptions } from './open-task-file.ts';
import { openTasks, type Tasks } from './task-source.ts';

/**
 * All tasks of a source, looked at. For who takes them more than once; `evaluate` reads its source by itself.
 * @throws ArtError `ART_INVALID_PAYLOAD`, `ART_INVALID_OPTION`
 */
export async function readTasks(tasks: Tasks, data?: DataOptions): Promise<Task[]> {
  const { open } = await openTasks(tasks, Infinity, undefined, data);
  return Array.fromAsync(open());
}
