import { takePort } from '@art/local';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { pinned } from './core-pinning.ts';
import type { RunningSubject } from './running-subject.ts';

const startWithinMs = 60_000;

/** The published gateway in Python with its store in memory; its other options are its defaults. */
export async function startRllm(engineUrl: string, python: string): Promise<RunningSubject> {
  // It does not tell which port it took, so it cannot be given 0.
  const port = await takePort();
  const url = `http://127.0.0.1:${port}`;
  const words = ['-m', 'rllm_model_gateway', '--host', '127.0.0.1', '--port', String(port)];
  words.push('--store', 'memory', '--log-level', 'warning', '--worker', engineUrl);
  const child = spawn(...pinned('subject', python, words), { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  let isOver = false;
  void ended.then(() => (isOver = true));
  const deadlineMs = performance.now() + startWithinMs;
  while (!(await isHealthy(url))) {
    if (isOver) throw new Error('rllm-model-gateway ended before it was ready.');
    if (performance.now() > deadlineMs) {
      child.kill('SIGKILL');
      throw new Error(`rllm-model-gateway was not ready after ${startWithinMs / 1_000} s.`);
    }
    await delay(100);
  }
  return {
    kind: 'rllm',
    url,
    pid: child.pid!,
    [Symbol.asyncDispose]: async () => {
      // It has nothing to save, and its own way to end waits for connections that are kept.
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}
