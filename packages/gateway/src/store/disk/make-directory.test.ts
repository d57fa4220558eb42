import { chmod, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { useDiskDirectory } from './disk-directory.fixture.ts';
import { makeDirectory } from './make-directory.ts';

const { pathOf } = useDiskDirectory();
const mode = 0o700;

it('makes what is missing, readable for its user only, and takes what is there', async () => {
  const path = pathOf('a/b/c');
  await makeDirectory(path, mode);
  await makeDirectory(path, mode);
  for (const made of [path, dirname(path)]) expect((await stat(made)).mode & 0o777).toBe(mode);
});

it('lets several make the same', async () => {
  const path = pathOf('a/b/c/d/e');
  await Promise.all(Array.from({ length: 8 }, () => makeDirectory(path, mode)));
  expect((await stat(path)).isDirectory()).toBe(true);
});

it('refuses a file, a place below a file, and a link that leads nowhere', async () => {
  await writeFile(pathOf('file'), '');
  await symlink(pathOf('nowhere'), pathOf('link'));
  for (const name of ['file', 'file/below', 'link', 'link/below']) {
    await expect(makeDirectory(pathOf(name), mode)).rejects.toMatchObject({ code: 'EEXIST' });
  }
});

// For root there is no forbidden directory.
it.skipIf(process.getuid?.() === 0)('refuses a place that it may not write to', async () => {
  await makeDirectory(pathOf('closed'), mode);
  await chmod(pathOf('closed'), 0o500);
  await expect(makeDirectory(pathOf('closed/a'), mode)).rejects.toMatchObject({ code: 'EACCES' });
});

it.runIf(process.platform === 'linux').each(['/proc/nope', '/proc/nope/below'])(
  'comes back from %s, where nothing can be made',
  async (path) => {
    await expect(makeDirectory(path, mode)).rejects.toMatchObject({ code: 'ENOENT' });
  },
);
