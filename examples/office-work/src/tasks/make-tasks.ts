import { encodeFiles } from '../files/office-files.ts';
import type { Task } from '../task.ts';
import { type Draft, kinds } from './kinds.ts';
import { seededRandom } from './random.ts';

export interface MadeTask {
  id: string;
  tags: string[];
  payload: Task;
  /** Calls of a good clerk. Not sent to anybody. */
  calls: Draft['calls'];
}

/** Tasks of every kind, `rounds` of each. The same seed makes the same ones. */
export async function makeTasks(seed = 1, rounds = 2): Promise<MadeTask[]> {
  const random = seededRandom(seed);
  const tasks: MadeTask[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const [kind, make] of Object.entries(kinds)) {
      const { tags, request, files, expected, calls } = await make(random);
      const payload = { request, files: encodeFiles(new Map(Object.entries(files))), expected };
      tasks.push({ id: `${kind}-${round}`, tags, payload, calls });
    }
  }
  return tasks;
}

/** For `art eval --tasks`. */
export default async function* tasks(): AsyncGenerator<Omit<MadeTask, 'calls'>> {
  for (const { id, tags, payload } of await makeTasks()) yield { id, tags, payload };
}
