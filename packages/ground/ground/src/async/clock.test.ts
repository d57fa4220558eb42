import { spawnSync } from 'node:child_process';
import { expect, it, vi } from 'vitest';
import { backgroundClock, systemClock } from './clock.ts';

it.each([
  ['systemClock', 50, 'called'],
  // Node runs a timer that is due before it looks whether anything keeps the process alive.
  ['backgroundClock', 60_000, ''],
])('%s: whether a timer keeps the process alive', (name, delayMs, output) => {
  const program = `import { ${name} } from ${JSON.stringify(import.meta.resolve('./clock.ts'))}; ${name}.after(${delayMs}, () => console.log('called'));`;
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect([child.status, child.stdout.trim()]).toEqual([0, output]);
});

it('never calls back after a delay that timers cannot hold, nor what was cancelled', async () => {
  const callback = vi.fn();
  systemClock.after(2 ** 31, callback);
  systemClock.after(0, callback)();
  const { promise, resolve } = Promise.withResolvers<void>();
  backgroundClock.after(0, resolve);
  await promise;
  expect(callback).not.toHaveBeenCalled();
});
