import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isolation } from './isolation.ts';
import type { TestProgram } from './test-program.ts';

export interface CodeLimits {
  /** Longest time. @default 10_000 */
  timeoutMs: number;
  /** Most memory: the address space of Python (Linux), the heap of Node. @default 512 MiB */
  memoryBytes: number;
  /** Most output, both streams together. @default 64 KiB */
  outputBytes: number;
  /**
   * `off-where-possible`: without one where the system lets processes have a network of their own (Linux with user namespaces). `off`: only
   * there. @default 'off-where-possible'
   */
  network: 'off-where-possible' | 'off' | 'on';
}

export type BoundedEnd =
  | { kind: 'ended'; exitCode: number | null; output: string }
  | { kind: 'timeout' | 'output'; output: string }
  /** The program could not be run at all. */
  | { kind: 'unavailable'; message: string };

/** A file may be as large as this: more would fill the disk. */
const fileBlocks = 131_072;

/** Runs a program in an empty folder. When it has ended, so has everything in its process group. @throws the signal's reason */
export async function runBounded(
  program: TestProgram,
  limits: CodeLimits,
  signal: AbortSignal | undefined,
): Promise<BoundedEnd> {
  signal?.throwIfAborted();
  const front = limits.network === 'on' ? [] : await isolation();
  if (front === undefined && limits.network === 'off')
    return {
      kind: 'unavailable',
      message: 'no way to take the network away: unshare is missing or not allowed',
    };
  const folder = await mkdtemp(join(tmpdir(), 'art-code-'));
  try {
    for (const [name, text] of Object.entries(program.files)) await writeFile(join(folder, name), text);
    return await watch(start(program, limits, front ?? [], folder), program, limits, signal);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function start(
  { command, boundsAddressSpace, memoryFlag }: TestProgram,
  { memoryBytes, timeoutMs }: CodeLimits,
  front: readonly string[],
  folder: string,
): ChildProcess {
  const [program = '', ...args] = command;
  const flags = memoryFlag === undefined ? [] : [memoryFlag(memoryBytes)];
  // Each bound by itself: macOS knows no address space, and a bound that fails must not end the program.
  const bounds = [
    `ulimit -f ${fileBlocks}`,
    `ulimit -c 0`,
    `ulimit -t ${Math.ceil(timeoutMs / 1_000) + 1}`,
    ...(boundsAddressSpace ? [`ulimit -v ${Math.ceil(memoryBytes / 1_024)}`] : []),
  ].map((bound) => `${bound} 2>/dev/null;`);
  return spawn(
    '/bin/sh',
    ['-c', `${bounds.join(' ')} exec "$@"`, 'sh', ...front, program, ...flags, ...args],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, which is killed as a whole.
      detached: true,
    },
  );
}

function watch(
  child: ChildProcess,
  { passedMark }: TestProgram,
  { timeoutMs, outputBytes }: CodeLimits,
  signal: AbortSignal | undefined,
): Promise<BoundedEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<BoundedEnd>();
  const parts: Buffer[] = [];
  let bytes = 0;
  let early: 'timeout' | 'output' | undefined;
  const end = (why: 'timeout' | 'output' | undefined): void => {
    early ??= why;
    killGroup(child);
  };
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  const onAbort = (): void => end(undefined);
  signal?.addEventListener('abort', onAbort, { once: true });
  // It may have come while the folder was made.
  if (signal?.aborted === true) onAbort();
  const onData = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > outputBytes) end('output');
    else parts.push(part);
  };
  child.stdout?.on('data', onData);
  child.stderr?.on('data', onData);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(`${passedMark}\n`);
  child.once('error', (error) => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    resolve({ kind: 'unavailable', message: error.message });
  });
  // What it started may live on, and would hold the pipes open: they are not waited for.
  child.once('exit', (exitCode) => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    killGroup(child);
    setImmediate(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      if (signal?.aborted === true) return reject(signal.reason as Error);
      const output = Buffer.concat(parts).toString('utf8');
      if (early !== undefined) return resolve({ kind: early, output });
      // What the shell answers for a command that is not there, or may not be run.
      if (exitCode === 127 || exitCode === 126)
        return resolve({ kind: 'unavailable', message: output.trim() });
      return resolve({ kind: 'ended', exitCode, output });
    });
  });
  return promise;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}
