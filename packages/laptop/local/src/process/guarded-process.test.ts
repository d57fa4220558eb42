import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '@art/tooling/eventually';
import { isGroupAlive } from './process-group.ts';
import { GuardedProcess } from './guarded-process.ts';
import { ProcessGuard } from './process-guard.ts';

const guard = new ProcessGuard();
const started: GuardedProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((process) => process.stop(0)));
});

async function start(...argv: string[]): Promise<GuardedProcess> {
  const process = await GuardedProcess.start({
    argv,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    output: 'pipe',
    guard,
  });
  started.push(process);
  return process;
}

const firstLine = async (process: GuardedProcess): Promise<string> => {
  for await (const chunk of process.stdout!) return String(chunk).trim();
  throw new Error('no output');
};

describe('GuardedProcess', () => {
  it('runs a command with its arguments as they are', async () => {
    const process = await start('/bin/sh', '-c', 'printf "%s|" "$@"; exit 3', 'sh', 'a b', '$HOME', "it's");
    expect(await text(process.stdout!)).toBe("a b|$HOME|it's|");
    expect(await process.gone).toEqual({ code: 3, signal: null });
  });

  it('fails for a folder that is not there', async () => {
    const start = GuardedProcess.start({
      argv: ['true'],
      cwd: '/no/such',
      env: {},
      output: 'pipe',
      guard,
    });
    await expect(start).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('ends what the command leaves behind', async () => {
    const process = await start('/bin/sh', '-c', 'sleep 600 & echo $!');
    expect(Number(await firstLine(process))).toBeGreaterThan(0);
    await process.gone;
    expect(isGroupAlive(process.pid)).toBe(false);
  });

  it('waits for a child that outlives its shell, which dies of SIGTERM at once', async () => {
    const process = await start(
      '/bin/sh',
      '-c',
      `(trap 'sleep 0.2; echo flushed; exit' TERM; echo up; sleep 600 & wait) & wait`,
    );
    const output: string[] = [];
    process.stdout!.on('data', (chunk) => output.push(String(chunk)));
    await eventually(() => expect(output.join('')).toContain('up'));
    await process.stop(60_000);
    await eventually(() => expect(output.join('')).toContain('flushed'));
  });

  it('kills what ignores SIGTERM after the grace', async () => {
    const process = await start('/bin/sh', '-c', `trap '' TERM; echo up; sleep 600`);
    await firstLine(process);
    expect(await process.stop(50)).toEqual({ code: null, signal: 'SIGKILL' });
    expect(isGroupAlive(process.pid)).toBe(false);
  });

  it('may be stopped twice, and after its end', async () => {
    const process = await start('sleep', '600');
    const exit = { code: null, signal: 'SIGTERM' };
    expect(await Promise.all([process.stop(1_000), process.stop(1_000)])).toEqual([exit, exit]);
    expect(await process.stop(1_000)).toEqual(exit);
  });
});
