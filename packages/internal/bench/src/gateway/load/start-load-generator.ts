import { once } from 'node:events';
import { join } from 'node:path';
import { spawnNode } from '../subjects/spawn-node.ts';
import type { LoadResult, LoadTask } from './load-task.ts';

export interface LoadGenerator extends AsyncDisposable {
  /** One task at a time. @throws Error if a call was not answered as it should be */
  run(task: LoadTask): Promise<LoadResult>;
}

export async function startLoadGenerator(): Promise<LoadGenerator> {
  const running = await spawnNode('load', join(import.meta.dirname, 'load-process.ts'));
  const ended = once(running.child, 'exit');
  return {
    async run(task) {
      const answered = once(running.child, 'message');
      running.child.send(task);
      const [{ result, error }] = (await Promise.race([
        answered,
        ended.then(() => Promise.reject(new Error('The load generator ended.'))),
      ])) as [{ result?: LoadResult; error?: string }];
      if (result === undefined) throw new Error(`The load generator failed: ${error}`);
      if (result.failed > 0) {
        throw new Error(
          `${result.failed} of ${result.failed + result.completed} calls failed, the first ${result.failure}`,
        );
      }
      return result;
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
