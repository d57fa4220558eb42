import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDirectory } from './make-directory.ts';
import { storeRoot } from './store-root.fixture.ts';

it('makes what is missing, among any number that try, and names the outermost', async () => {
  const root = await storeRoot();
  const path = join(root, 'a/b/c');
  expect(await makeDirectory(path)).toBe(root);
  expect(await makeDirectory(path)).toBeUndefined();
  await Promise.all(Array.from({ length: 20 }, () => makeDirectory(join(root, 'x/y/z'))));
  expect(existsSync(join(root, 'x/y/z'))).toBe(true);
});

it('fails where a file is in the way', async () => {
  const root = await storeRoot();
  await writeFile(root, '');
  await expect(makeDirectory(join(root, 'a/b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeDirectory(root)).rejects.toMatchObject({ code: 'EEXIST' });
});

// A root directory that takes no names: /proc on Linux, the sealed system volume on macOS.
it('ends where no directory can be made', async () => {
  const nowhere = process.platform === 'linux' ? '/proc/art-nowhere/a/b' : '/art-nowhere/a/b';
  await expect(makeDirectory(nowhere)).rejects.toThrow(/ENOENT|EACCES|EROFS|EPERM/);
  expect(existsSync(dirname(dirname(nowhere)))).toBe(false);
});
