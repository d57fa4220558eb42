import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow, storeRoot } from './store-root.fixture.ts';
import { replaceFile } from './unfinished-file.ts';

it.each([true, false])('replaces a file that only its owner can read, durable: %s', async (isDurable) => {
  const root = await storeRoot();
  const path = join(root, 'deep/down/state.json');
  await replaceFile(path, 'old and longer', { isDurable });
  await replaceFile(path, 'new', { isDurable });
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await filesBelow(root)).toEqual(['deep/down/state.json']);
});

it('leaves nothing behind where it cannot take its place', async () => {
  const root = await storeRoot();
  await mkdir(join(root, 'taken/by-a-folder'), { recursive: true });
  await expect(replaceFile(join(root, 'taken'), 'new')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(await filesBelow(root)).toEqual([]);
});
