import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { makeDirectory } from './make-directory.ts';

let root: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'art-make-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  root = join(folder, 'root');
});

it('makes what is missing, among any number that try, and names the outermost', async () => {
  const path = join(root, 'a/b/c');
  expect(await makeDirectory(path)).toBe(root);
  expect(await makeDirectory(path)).toBeUndefined();
  await Promise.all(Array.from({ length: 20 }, () => makeDirectory(join(root, 'x/y/z'))));
  expect(existsSync(join(root, 'x/y/z'))).toBe(true);
});

it('gives all that it makes one mode, and leaves alone what is there', async () => {
  await makeDirectory(root, 0o755);
  await makeDirectory(join(root, 'a/b'), 0o700);
  const modes = [root, join(root, 'a'), join(root, 'a/b')].map(
    async (path) => (await stat(path)).mode & 0o777,
  );
  expect(await Promise.all(modes)).toEqual([0o755, 0o700, 0o700]);
});

it('refuses a file, a place below a file, and a link that leads nowhere', async () => {
  await makeDirectory(root);
  await writeFile(join(root, 'file'), '');
  await symlink(join(root, 'nowhere'), join(root, 'link'));
  for (const [name, code] of Object.entries({
    file: 'EEXIST',
    'file/below': 'ENOTDIR',
    link: 'EEXIST',
    'link/below': 'EEXIST',
  }))
    await expect(makeDirectory(join(root, name))).rejects.toMatchObject({ code });
});

// For root there is no forbidden directory.
it.skipIf(process.getuid?.() === 0)('refuses a place that it may not write to', async () => {
  await makeDirectory(root);
  await chmod(root, 0o500);
  await expect(makeDirectory(join(root, 'a'))).rejects.toMatchObject({ code: 'EACCES' });
  await chmod(root, 0o700);
});

// A root directory that takes no names: /proc on Linux, the sealed system volume on macOS.
it.each(['art-nowhere', 'art-nowhere/a/b'])(
  'ends below a directory that takes no names: %s',
  async (below) => {
    const nowhere = join(process.platform === 'linux' ? '/proc' : '/', below);
    await expect(makeDirectory(nowhere)).rejects.toThrow(/ENOENT|EACCES|EROFS|EPERM/);
    expect(existsSync(dirname(nowhere)) && below.includes('/')).toBe(false);
  },
);
