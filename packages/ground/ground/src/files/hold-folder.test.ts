import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { folderHolder, holdFolder, lastHolder } from './hold-folder.ts';

let folder: string;
beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), 'art-hold-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  folder = join(root, 'a/folder');
});

const killed = async (): Promise<number> => {
  const args = ['--conditions=@art/source', join(import.meta.dirname, 'holding-process.fixture.ts'), folder];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  await expect(holdFolder(folder)).rejects.toThrow(
    new RegExp(`but process ${child.pid} on .* since 2.* works on it\\.`),
  );
  expect(folderHolder(folder)).toMatchObject({ pid: child.pid, facts: { from: 'fixture' } });
  child.kill('SIGKILL');
  await once(child, 'exit');
  return child.pid!;
};

it('has a folder for itself until it lets go, and leaves no file behind', async () => {
  const held = await holdFolder(folder, { facts: { socket: '/s' } });
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(folderHolder(folder)).toMatchObject({ pid: process.pid, facts: { socket: '/s' } });
  await expect(holdFolder(folder, { what: 'the run in x', advice: 'Leave it.' })).rejects.toMatchObject({
    code: 'ART_FOLDER_HELD',
    message: expect.stringMatching(
      /^Expected the run in x to be free, but process .* works on it\. Leave it\.$/,
    ) as string,
  });
  held.release();
  held.release();
  expect(folderHolder(folder)).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
  await using _ = await holdFolder(folder);
});

it('is given to exactly one of many that try at once', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => holdFolder(folder)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const { reason } of tries.filter((one) => one.status === 'rejected'))
    expect(reason).toMatchObject({ code: 'ART_FOLDER_HELD' });
});

it('is free when its process was killed, also where another one has its id by now, and under another host name', async () => {
  const pid = await killed();
  expect(folderHolder(folder)).toBeUndefined();
  expect(lastHolder(folder)).toMatchObject({ pid, facts: { from: 'fixture' } });
  // What a living process left would look like that: an id that is in use, on a machine with another name.
  const last = JSON.parse(await readFile(join(folder, 'holder.json'), 'utf8')) as object;
  await writeFile(
    join(folder, 'holder.json'),
    JSON.stringify({ ...last, pid: process.ppid, host: 'elsewhere' }),
  );
  await using _ = await holdFolder(folder);
  expect(folderHolder(folder)).toMatchObject({ pid: process.pid });
});

it('is held by the operating system, whatever the file for people says', async () => {
  await using _ = await holdFolder(folder);
  for (const text of ['', '{"pid":', '[]', '{"pid":1}', '{"pid":"1","host":"h","sinceMs":1,"facts":{}}']) {
    await writeFile(join(folder, 'holder.json'), text);
    expect(folderHolder(folder)).toMatchObject({ pid: undefined, facts: {} });
    await expect(holdFolder(folder)).rejects.toThrow('but another process works on it');
  }
});

it('leaves alone what another one made where its folder was', async () => {
  const held = await holdFolder(folder);
  await rename(folder, `${folder}-away`);
  await using _ = await holdFolder(folder);
  held.release();
  expect(folderHolder(folder)).toMatchObject({ pid: process.pid });
});

it('refuses a folder that cannot be made or locked', async () => {
  await mkdir(join(folder, 'hold.lock'), { recursive: true });
  await expect(holdFolder(folder)).rejects.toMatchObject({ code: 'ART_FOLDER_NOT_HELD' });
  expect(folderHolder(folder)).toBeUndefined();
  const file = join(folder, 'file');
  await writeFile(file, '');
  await expect(holdFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(folderHolder(join(folder, 'nowhere'))).toBeUndefined();
  expect(existsSync(join(folder, 'nowhere'))).toBe(false);
});
