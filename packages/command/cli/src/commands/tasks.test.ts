import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readTasks } from '@art/eval';
import { capturedContext } from '../captured-context.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { runTasks } from './tasks.ts';

async function folderWith(payloads: readonly object[]) {
  const context = capturedContext({ cwd: await temporaryFolder() });
  const lines = payloads.map((payload, at) =>
    JSON.stringify({
      schema: 'art.rollout.v1',
      id: String(at),
      outcome: 'ok',
      reward: 1,
      document: { payload },
    }),
  );
  await writeFile(join(context.cwd, 'results.jsonl'), `${lines.join('\n')}\n`);
  return context;
}

it('writes tasks and held-out tasks that can be read, and overwrites none', async () => {
  const payloads = Array.from({ length: 40 }, (_, n) => ({ prompt: `q${n % 20}`, apiKey: `k${n}` }));
  const context = await folderWith(payloads);
  const options = { recorded: 'results.jsonl', out: 'tasks.jsonl', heldOut: 0.5 };
  expect(await runTasks(options, context)).toBe(0);
  const read = async (name: string) =>
    (await readTasks(join(context.cwd, name))).map(({ payload }) => payload['prompt']);
  const [tasks, heldOut] = [await read('tasks.jsonl'), await read('tasks.held-out.jsonl')];
  expect([...tasks, ...heldOut].toSorted()).toEqual(Array.from({ length: 20 }, (_, n) => `q${n}`).toSorted());
  expect(heldOut.length).toBeGreaterThan(2);
  expect(await readFile(join(context.cwd, 'tasks.jsonl'), 'utf8')).not.toContain('k1');
  await expect(runTasks(options, context)).rejects.toThrow('a new file that can be written');
});

it('ends with 3 where nothing has an input, and writes nothing', async () => {
  const context = await folderWith([{}]);
  expect(await runTasks({ recorded: 'results.jsonl', out: 'tasks.jsonl' }, context)).toBe(3);
  await expect(readFile(join(context.cwd, 'tasks.jsonl'))).rejects.toThrow('ENOENT');
});
