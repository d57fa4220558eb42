import { execFile } from 'node:child_process';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { FileResultStore } from './file-result-store.ts';
import { filesBelow, storeRoot } from './store-root.fixture.ts';
import { replaceFile } from './unfinished-file.ts';

it('leaves the old text, and files that the next life removes once nobody alive can be writing them', async () => {
  const root = await storeRoot();
  const state = join(root, 'state/state.json');
  await replaceFile(state, 'old');
  await writeFile(join(root, 'state/.state.json.notes'), 'not ours');
  const args = ['--conditions=@art/source', join(import.meta.dirname, 'killed-writer.fixture.ts'), root];
  await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({ signal: 'SIGKILL' });
  expect(await readFile(state, 'utf8')).toBe('old');

  const nextLife = async (): Promise<string[]> => {
    await new FileResultStore({ root }).put({ bucket: 'bucket', key: 'next.json' }, '{}');
    await replaceFile(state, 'new');
    return filesBelow(root);
  };
  const complete = ['bucket/next.json', 'state/.state.json.notes', 'state/state.json'];
  const left = (await nextLife()).filter((path) => !complete.includes(path));
  expect(left).toEqual([
    expect.stringMatching(/^\.temporary\/\d+-[0-9a-f-]{36}$/),
    expect.stringMatching(/^state\/\.state\.json\.[0-9a-f-]{36}$/),
  ]);

  const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
  for (const path of left) await utimes(join(root, path), minutesAgo(59), minutesAgo(59));
  expect(await nextLife()).toEqual([...left, ...complete].toSorted());
  for (const path of left) await utimes(join(root, path), minutesAgo(61), minutesAgo(61));
  expect(await nextLife()).toEqual(complete);
  expect(await readFile(state, 'utf8')).toBe('new');
});
