import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshId } from '@art/ground';
import { expect, it, onTestFinished } from 'vitest';
import { leftUploads } from './left-uploads.ts';

const killedAtMs = [Date.now() - 20_000, Date.now() - 10_000];

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-uploads-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function written(folder: string, atMs: number): Promise<string> {
  const name = freshId();
  await writeFile(join(folder, name), '');
  await utimes(join(folder, name), atMs / 1000, atMs / 1000);
  return name;
}

it('forgives killed writers what the next life sweeps', async () => {
  const folder = await emptyFolder();
  for (const killMs of killedAtMs) await written(folder, killMs - 5);
  expect(await leftUploads(folder, killedAtMs)).toEqual([]);
});

it('names what a writer left that was not killed', async () => {
  const folder = await emptyFolder();
  await written(folder, killedAtMs[0]! - 5);
  const left = await written(folder, killedAtMs[1]! + 5);
  expect(await leftUploads(folder, killedAtMs)).toEqual([left]);
});

it('names everything where nobody was killed', async () => {
  const folder = await emptyFolder();
  const left = await written(folder, killedAtMs[0]!);
  expect(await leftUploads(folder, [])).toEqual([left]);
});

it('names what no sweep removes', async () => {
  const folder = await emptyFolder();
  await mkdir(join(folder, 'folder'));
  expect(await leftUploads(folder, [Date.now() + 1_000])).toEqual(['folder']);
});

it('finds nothing where nothing was uploaded', async () => {
  expect(await leftUploads(join(await emptyFolder(), 'uploads'), [])).toEqual([]);
});
