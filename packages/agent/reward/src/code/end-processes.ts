import { type ChildProcess, execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Kills the groups of some processes and their direct children: the first process of a namespace is one, and all others there die with it.
 * What left its group without a namespace (`setsid`) is found as long as its environment still has the run's folder in it.
 */
export async function endProcesses(
  children: readonly ChildProcess[],
  folder: string,
  isIsolated: boolean,
): Promise<void> {
  const groups = children.flatMap(({ pid }) => pid ?? []);
  // While their parent lives: afterwards nobody tells whose they were.
  for (const pid of (await Promise.all(groups.map(childrenOf))).flat()) kill(pid);
  for (const pid of groups) kill(-pid);
  if (isIsolated) return;
  // One that is found may have started another one before it was killed.
  for (let round = 0; round < 3; round += 1) {
    const left = await processesWith(folder);
    if (left.length === 0) return;
    for (const pid of left) kill(pid);
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return list.split(' ').flatMap((child) => (child.trim() === '' ? [] : [Number(child)]));
}

async function processesWith(folder: string): Promise<number[]> {
  if (process.platform === 'linux') {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(
      pids.map(async (pid) => {
        const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
        return environment.split('\0').includes(`HOME=${folder}`) ? [Number(pid)] : [];
      }),
    );
    return found.flat();
  }
  const { stdout } = await promisify(execFile)('ps', ['axeww', '-o', 'pid=,command='], {
    maxBuffer: 64 * 2 ** 20,
  }).catch(() => ({ stdout: '' }));
  return stdout
    .split('\n')
    .filter((line) => line.includes(`HOME=${folder} `))
    .map((line) => Number.parseInt(line, 10));
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
