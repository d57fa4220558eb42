import { takePort } from '@art/local';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface RedisServer extends AsyncDisposable {
  port: number;
  /** As a machine that loses power. */
  kill(): Promise<void>;
  /** On the same port, with nothing remembered. */
  start(): void;
}

/** A Redis of this run's own; undefined where there is no `redis-server`. */
export async function startRedisServer(): Promise<RedisServer | undefined> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await takePort();
  let child: ChildProcess | undefined;
  const start = (): void => {
    child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      { stdio: 'ignore' },
    );
  };
  const kill = async (): Promise<void> => {
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    child = undefined;
    await exited;
  };
  start();
  return { port, start, kill, [Symbol.asyncDispose]: kill };
}
