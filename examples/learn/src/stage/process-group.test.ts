import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ProcessGroup, type ProcessGroupOptions } from './process-group.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'art-group-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

// Says who it is and who its child is, then works for ever.
const family = 'sleep 600 & echo $$ $!; wait';

function start(script: string, more: Partial<ProcessGroupOptions> = {}): ProcessGroup {
  const logFile = join(folder, 'log');
  return new ProcessGroup({ name: 'It', command: ['/bin/sh', '-c', script], logFile, talk: 'pipe', ...more });
}

async function firstPids(input: NodeJS.ReadableStream): Promise<number[]> {
  const [line] = (await once(createInterface({ input }), 'line')) as [string];
  return line.split(' ').map(Number);
}

/** A zombie does not run: where nobody collects orphans, it stays. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // No /proc: not Linux, and the process is there.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
}

it('ends with all that it started', async () => {
  const group = start(family);
  const pids = await firstPids(group.child.stdout!);
  expect(pids.map(isRunning)).toEqual([true, true]);
  await group.stop();
  await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false]));
  await group.stop();
});

it('does not wait for what does not listen', async () => {
  const group = start(`trap "" TERM; ${family}; wait`, { stopGraceMs: 200 });
  const pids = await firstPids(group.child.stdout!);
  await group.stop();
  await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false]));
});

it('ends with its owner, also where that is killed', async () => {
  const module = pathToFileURL(join(import.meta.dirname, 'process-group.ts')).href;
  const options = JSON.stringify({
    name: 'It',
    command: ['/bin/sh', '-c', family],
    logFile: join(folder, 'log'),
    talk: 'pipe',
  });
  const script = `
    const { ProcessGroup } = await import(${JSON.stringify(module)});
    new ProcessGroup(${options}).child.stdout.pipe(process.stdout);`;
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pids = await firstPids(owner.stdout);
  expect(pids.map(isRunning)).toEqual([true, true]);
  owner.kill('SIGKILL');
  await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false]));
});

it('tells how a program ended, and what it wrote last', async () => {
  const group = start('echo first >&2; echo no weights there >&2; exit 3');
  await expect(group.died()).rejects.toThrow(/^It ended \(exit code 3\)[\s\S]*no weights there$/);
});

it('lets what tidies up after the program do so', async () => {
  const tidied = join(folder, 'tidied');
  // As Python's resource tracker, which does not listen to SIGTERM and ends after the others.
  // It says itself when it no longer listens.
  const tracker = `(trap "" TERM; echo $$ $$; while kill -0 $$ 2> /dev/null; do sleep 0.1; done; echo > ${tidied}) &`;
  // Long enough for a busy machine. Where nobody collects orphans, the group takes all of it.
  const group = start(`${tracker} wait`, { stopGraceMs: 30_000, tidyMs: 30_000 });
  await firstPids(group.child.stdout!);
  await group.stop();
  expect(existsSync(tidied)).toBe(true);
});
