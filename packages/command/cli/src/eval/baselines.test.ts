import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runFiles } from '@art/eval/records';
import { expect, it } from 'vitest';
import { journalArgument } from '../arguments/journal-argument.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { Baselines } from './baselines.ts';

/** A store of files, and two machines that know it. */
async function onTwoMachines() {
  const root = await temporaryFolder();
  const place = journalArgument(`${pathToFileURL(root).href}#my-bucket/team`);
  const [here, there] = [await temporaryFolder(), await temporaryFolder()];
  const open = (cwd: string) => Baselines.open({ baselines: place }, { cwd });
  return {
    stored: join(root, 'my-bucket', 'team'),
    here,
    there,
    first: await open(here),
    second: await open(there),
  };
}

async function aRun(cwd: string, text: string): Promise<string> {
  const folder = join(cwd, text.slice(0, 8));
  await mkdir(folder, { recursive: true });
  for (const file of ['run', 'samples', 'transcripts'] as const)
    await writeFile(join(folder, runFiles[file]), `${file} of ${text}`);
  await writeFile(join(folder, runFiles.results), '');
  return folder;
}

it('fetches on another machine what was kept in a store, in several parts and without a file of none', async () => {
  const { here, there, first, second } = await onTwoMachines();
  // The end of a part lies within a letter of three bytes.
  const text = `a run ${'\u20ac'.repeat(3_000_000)}`;
  await first.save(await aRun(here, text), 'main');
  const folder = await second.folderOf('main');
  expect(folder.startsWith(join(there, '.art', 'fetched-baselines', 'main-'))).toBe(true);
  expect((await readFile(join(folder, runFiles.samples), 'utf8')) === `samples of ${text}`).toBe(true);
  expect(await readFile(join(folder, runFiles.results), 'utf8')).toBe('');
});

it('gives a name to the later of two runs, and loses neither', async () => {
  const { stored, here, there, first, second } = await onTwoMachines();
  const [older, newer] = [await aRun(here, 'older'), await aRun(there, 'newer')];
  await first.save(older, 'main');
  const was = await second.folderOf('main');
  await second.save(newer, 'main');
  const is = await first.folderOf('main');
  expect(await readFile(join(is, runFiles.run), 'utf8')).toBe('run of newer');
  expect(await readFile(join(was, runFiles.run), 'utf8')).toBe('run of older');
  expect(await readdir(join(stored, 'runs'))).toHaveLength(2);
});

it('fetches once, and removes what it has fetched when it is closed', async () => {
  const { stored, here, there, first, second } = await onTwoMachines();
  await first.save(await aRun(here, 'a run'), 'main');
  const [one, other] = await Promise.all([second.folderOf('main'), second.folderOf('main')]);
  expect(one).toBe(other);
  const fetched = join(there, '.art', 'fetched-baselines');
  const third = await Baselines.open(
    { baselines: journalArgument(`${pathToFileURL(join(stored, '../..')).href}#my-bucket/team`) },
    { cwd: there },
  );
  const own = await third.folderOf('main');
  await rm(join(stored, 'runs'), { recursive: true });
  expect(await second.folderOf('main')).toBe(one);
  await second[Symbol.asyncDispose]();
  // Another command still reads.
  expect([existsSync(one), existsSync(own)]).toEqual([false, true]);
  await third[Symbol.asyncDispose]();
  expect(existsSync(fetched)).toBe(false);
});

it('a name in a folder has a run at every moment while it is replaced', async () => {
  const cwd = await temporaryFolder();
  const baselines = await Baselines.open({}, { cwd });
  const [older, newer] = [await aRun(cwd, 'older'), await aRun(cwd, 'newer')];
  await baselines.save(older, 'main');
  const saved = join(cwd, '.art', 'baselines', 'main');
  const readRun = async (): Promise<string> =>
    readFile(join(await baselines.folderOf('main'), runFiles.run), 'utf8');
  expect(await readRun()).toBe('run of older');
  // A process that is killed between both names leaves the earlier run under the other one.
  await rename(saved, join(cwd, '.art', 'baselines', '.before-main'));
  expect(await readRun()).toBe('run of older');
  await baselines.save(newer, 'main');
  expect(await readRun()).toBe('run of newer');
  await baselines.save(older, 'main');
  expect(await readRun()).toBe('run of older');
  await expect(baselines.save(join(cwd, 'nowhere'), 'main')).rejects.toThrow('ENOENT');
  expect(await readRun()).toBe('run of older');
  expect(await readdir(join(cwd, '.art', 'baselines'))).toEqual(['main']);
});

it.each([
  ['no such name', undefined, /"art eval --save-as main/],
  ['no JSON', 'x', /got no record of a kept run/],
  [
    'an id that leads elsewhere',
    '{"schema":"art.baseline.v1","id":"../x","parts":[1,1,1,0]}',
    /got no record/,
  ],
  [
    'parts that are gone',
    '{"schema":"art.baseline.v1","id":"x","parts":[1,1,1,0]}',
    /x\/0\.0 .* got nothing there/,
  ],
])('refuses %s, and leaves nothing behind', async (_, record, message) => {
  const { stored, there, second } = await onTwoMachines();
  if (record !== undefined) {
    await mkdir(join(stored, 'names'), { recursive: true });
    await writeFile(join(stored, 'names', 'main.json'), record);
  }
  await expect(second.folderOf('main')).rejects.toThrow(
    expect.objectContaining({ code: 'ART_INVALID_OPTION', message: expect.stringMatching(message) }),
  );
  const left = await readdir(join(there, '.art', 'fetched-baselines')).catch(() => []);
  expect(left).toEqual([]);
});

it('keeps a run in the place of a broken record', async () => {
  const { stored, here, first, second } = await onTwoMachines();
  await mkdir(join(stored, 'names'), { recursive: true });
  await writeFile(join(stored, 'names', 'main.json'), 'x');
  await first.check('main');
  await first.save(await aRun(here, 'a run'), 'main');
  expect(await readFile(join(await second.folderOf('main'), runFiles.run), 'utf8')).toBe('run of a run');
});
