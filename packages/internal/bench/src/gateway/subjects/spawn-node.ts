import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { pinned, type CoreRole } from './core-pinning.ts';

export interface NodeProcess extends AsyncDisposable {
  child: ChildProcess;
  pid: number;
  /** Its first message. */
  hello: Record<string, unknown>;
}

/** Starts a script of this package on the core of its role, anywhere without one, and waits until it reports. */
export async function spawnNode(
  role: CoreRole | undefined,
  script: string,
  env: Record<string, string> = {},
  nodeFlags: readonly string[] = [],
): Promise<NodeProcess> {
  const parameters = ['--conditions=@art/source', ...nodeFlags, script];
  const [command, words] = pinned(role, process.execPath, parameters);
  const child = spawn(command, words, {
    env: { ...process.env, ...env },
    // Gateways log; nobody reads it here.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const [hello] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error(`${script} ended before it was ready.`))),
  ])) as [Record<string, unknown>];
  return {
    child,
    // taskset replaces itself by what it starts.
    pid: child.pid!,
    hello,
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
