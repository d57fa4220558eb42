import { readdir, readFile } from 'node:fs/promises';

/** Threads of all processes of a program together: Node itself has about a dozen. */
const mostThreads = 128;
/** Resident memory of an interpreter that runs nothing, and of what the wrapper starts. */
const ownBytes = 192 * 2 ** 20;
const pauseMs = 25;

/**
 * Looks again and again at what a program has started, and says once when it is too much: memory of all its processes together (buffers too,
 * which no bound of a heap knows), or threads. Only Linux shows that; elsewhere it never says anything.
 * @returns ends the watch
 */
export function watchProgram(pid: number, memoryBytes: number, onTooMuch: (why: string) => void): () => void {
  if (process.platform !== 'linux') return () => undefined;
  let isOver = false;
  const look = async (): Promise<void> => {
    const { threads, bytes } = await usageOf(pid);
    if (isOver) return;
    if (threads > mostThreads)
      onTooMuch(`It started more than ${mostThreads} processes and threads and was killed.`);
    else if (bytes > memoryBytes + ownBytes) onTooMuch('It took too much memory and was killed.');
    else timer = setTimeout(() => void look(), pauseMs);
  };
  let timer = setTimeout(() => void look(), pauseMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** The memory and threads of a process and of all that it started, as far as they were not left to another parent. */
async function usageOf(pid: number): Promise<{ threads: number; bytes: number }> {
  let [threads, bytes] = [0, 0];
  const pids = [pid];
  // Of more it is known that they are too many.
  for (let at = 0; at < pids.length && threads <= mostThreads; at += 1) {
    const folder = `/proc/${pids[at]}`;
    const tasks = await readdir(`${folder}/task`).catch(() => []);
    threads += tasks.length;
    const status = await readFile(`${folder}/status`, 'utf8').catch(() => '');
    bytes += 1_024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    for (const task of tasks.slice(0, mostThreads)) {
      const children = await readFile(`${folder}/task/${task}/children`, 'utf8').catch(() => '');
      for (const child of children.split(' ')) if (child.trim() !== '') pids.push(Number(child));
    }
  }
  return { threads, bytes };
}
