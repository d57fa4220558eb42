import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface RunningAgent extends AsyncDisposable {
  endpoint: string;
}

/** @param putMs How long its store takes for a result */
export async function startAgent(putMs: number): Promise<RunningAgent> {
  const child = fork(join(import.meta.dirname, 'agent-process.ts'), {
    execArgv: ['--conditions=@art/source'],
    env: { ...process.env, PUT_MS: String(putMs) },
    // It logs every request, as in production; nobody reads it here.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const [message] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('The agent ended before it listened.'))),
  ])) as [{ endpoint: string }];
  return {
    endpoint: message.endpoint,
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await ended;
    },
  };
}
