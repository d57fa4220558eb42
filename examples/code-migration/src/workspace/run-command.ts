import { spawn } from 'node:child_process';
import { InfrastructureError } from '@art/agent';

export interface CommandLimits {
  /** Longest time. */
  timeoutMs: number;
  /** Most output, both streams together. */
  outputBytes: number;
}

/** Most memory for the objects of the code, in MiB. */
const heapMegabytes = 256;

export type CommandEnd =
  | { kind: 'ended'; exitCode: number | null; output: string }
  /** It took too long, or wrote too much, and was killed. */
  | { kind: 'timeout' | 'output'; output: string };

export interface Command {
  args: readonly string[];
  cwd: string;
  /** Text of its standard input. @default nothing */
  input?: string | undefined;
}

/** A process that left its group may hold the pipes open; it is not waited for longer than this. */
const lateOutputMs = 1_000;

/**
 * Runs Node without this process's environment. When it has ended, nothing of its process group is left.
 * @throws InfrastructureError where it cannot be started; the signal's reason
 */
export function runCommand(
  { args, cwd, input = '' }: Command,
  { timeoutMs, outputBytes }: CommandLimits,
  signal: AbortSignal | undefined,
): Promise<CommandEnd> {
  signal?.throwIfAborted();
  // A group of its own (detached), which is killed as a whole: what the code has started must not outlive it.
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMegabytes}`, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, TMPDIR: cwd },
    detached: true,
  });
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nobody of the group is left.
    }
  };
  const { promise, resolve, reject } = Promise.withResolvers<CommandEnd>();
  const parts: Buffer[] = [];
  let bytes = 0;
  let why: 'timeout' | 'output' | undefined;
  const end = (reason: typeof why): void => {
    why ??= reason;
    kill();
  };
  const onAbort = (): void => end(undefined);
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  const onData = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > outputBytes) end('output');
    else parts.push(part);
  };
  child.stdout.on('data', onData);
  child.stderr.on('data', onData);
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const destroyPipes = (): void => {
    child.stdout.destroy();
    child.stderr.destroy();
  };
  let late: NodeJS.Timeout | undefined;
  const settle = (finish: () => void): void => {
    clearTimeout(timer);
    clearTimeout(late);
    signal?.removeEventListener('abort', onAbort);
    finish();
  };
  child.once('error', (cause) =>
    settle(() => reject(new InfrastructureError('Node cannot be started.', { cause }))),
  );
  // What lives on in the group would hold the pipes open, so it ends first. What was written last is still on its way then.
  child.once('exit', () => {
    kill();
    late = setTimeout(() => destroyPipes(), lateOutputMs);
  });
  child.once('close', (exitCode) =>
    settle(() => {
      const output = Buffer.concat(parts).toString('utf8');
      if (signal?.aborted === true) reject(signal.reason as Error);
      else resolve(why === undefined ? { kind: 'ended', exitCode, output } : { kind: why, output });
    }),
  );
  return promise;
}
