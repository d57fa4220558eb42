import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { leftUploads } from './left-uploads.ts';

async function folderWith(...names: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-uploads-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of names) await writeFile(join(folder, name), '');
  return folder;
}

it('forgives a killed writer what the next life sweeps, twice as well', async () => {
  expect(await leftUploads(await folderWith('71-a', '71-b', '72-c'), [71, 72])).toEqual([]);
});

it('names what a writer left that was not killed', async () => {
  expect(await leftUploads(await folderWith('71-a', '73-b'), [71])).toEqual(['73-b']);
});

it('names what no sweep removes', async () => {
  const folder = await folderWith();
  await mkdir(join(folder, '71-folder'));
  expect(await leftUploads(folder, [71])).toEqual(['71-folder']);
});

it('finds nothing where nothing was uploaded', async () => {
  const folder = await folderWith();
  expect(await leftUploads(join(folder, 'uploads'), [])).toEqual([]);
});
