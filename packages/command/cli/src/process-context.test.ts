import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';

const art = [process.execPath, '--conditions=@art/source', join(import.meta.dirname, 'main.ts')];

it('a server that npm or npx started ends with it', async () => {
  // A shell that waits for the command, as npm starts one, and passes no signal on.
  const shell = spawn('/bin/sh', ['-c', '"$@"; exit 7', 'sh', ...art, 'mock-model', '--port', '0'], {
    env: { ...process.env, npm_command: 'exec' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  onTestFinished(() => {
    try {
      process.kill(-shell.pid!, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
  });
  const lines = createInterface(shell.stdout);
  const [first] = (await once(lines, 'line')) as [string];
  expect(first).toMatch(/127\.0\.0\.1:\d+/);
  const isSilent = once(lines, 'close');
  shell.kill('SIGTERM');
  // The pipe closes when the last process that holds it has ended.
  await isSilent;
});
