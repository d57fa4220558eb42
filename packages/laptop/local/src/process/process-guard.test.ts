import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '@art/tooling/eventually';
import { ProcessGuard } from './process-guard.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function sleeper(): ChildProcess & { pid: number } {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  children.push(child);
  return child as ChildProcess & { pid: number };
}

describe('ProcessGuard', () => {
  it('kills what it was told of when its input ends, and nothing that was released', async () => {
    const guard = new ProcessGuard();
    const [first, second, third] = [sleeper(), sleeper(), sleeper()];
    for (const { pid } of [first, second, third]) await guard.protect(pid);
    guard.release(second.pid);
    const exits = [once(first, 'exit'), once(third, 'exit')];
    await guard.close();
    expect((await Promise.all(exits)).map(([, signal]) => signal as string)).toEqual(['SIGKILL', 'SIGKILL']);
    expect(second.exitCode).toBeNull();
    expect(second.signalCode).toBeNull();
  });

  it('is replaced when it is killed, and the new one knows what the old one knew', async () => {
    const guard = new ProcessGuard();
    const [first, second] = [sleeper(), sleeper()];
    for (const { pid } of [first, second]) await guard.protect(pid);
    const before = guard.pid!;
    process.kill(before, 'SIGKILL');
    await eventually(() => {
      expect(guard.pid).toBeDefined();
      expect(guard.pid).not.toBe(before);
    });
    await guard.protect(sleeper().pid);
    const exits = [once(first, 'exit'), once(second, 'exit')];
    await guard.close();
    for (const [, signal] of await Promise.all(exits)) expect(signal).toBe('SIGKILL');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('outlives %s', async (signal) => {
    const guard = new ProcessGuard();
    await guard.protect(sleeper().pid);
    const before = guard.pid!;
    process.kill(before, signal);
    await guard.protect(sleeper().pid);
    expect(guard.pid).toBe(before);
    await guard.close();
  });
});
