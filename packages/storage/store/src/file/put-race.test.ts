import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { FileResultStore } from './file-result-store.ts';
import { filesBelow, storeRoot } from './store-root.fixture.ts';

const processes = 3;
const writers = 6;
const keys = 25;

it(`lets one of ${processes * writers} writers in ${processes} processes win each key`, async () => {
  const root = await storeRoot();
  const racers = await Promise.all(
    Array.from({ length: processes }, async (_, index) => {
      const script = join(import.meta.dirname, 'put-race.fixture.ts');
      const args = [
        '--conditions=@art/source',
        script,
        root,
        `racer ${index}`,
        String(writers),
        String(keys),
      ];
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      const exited = once(child, 'exit');
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      expect(await lines.next()).toEqual({ done: false, value: 'ready' });
      return { child, lines, exited };
    }),
  );
  for (const { child } of racers) child.stdin.write('go\n');
  const winners = new Map<number, string>();
  for (const { lines, exited } of racers) {
    const { value } = await lines.next();
    for (const { key, body } of JSON.parse(value as string) as { key: number; body: string }[]) {
      expect(winners.get(key), `key ${key} was won twice`).toBeUndefined();
      winners.set(key, body);
    }
    expect((await exited)[0]).toBe(0);
  }
  expect(winners.size).toBe(keys);
  const store = new FileResultStore({ root });
  for (const [key, body] of winners) {
    expect(await store.get({ bucket: 'bucket', key: `race/${key}.json` })).toBe(body.repeat(10_000));
  }
  expect(await filesBelow(root)).toHaveLength(keys);
});
