import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { findCheckpoint } from './find-checkpoint.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, maxRetries: 10 });
});

it('finds folders and downloads, and nothing else', async () => {
  const home = await mkdtemp(join(tmpdir(), 'art-hf-'));
  folders.push(home);
  const env = { HF_HOME: home };
  expect(findCheckpoint(home, env)).toBe(home);
  expect(findCheckpoint('org/model', env)).toBeUndefined();
  const repository = join(home, 'hub', 'models--org--model');
  const snapshot = join(repository, 'snapshots', 'abc');
  await mkdir(join(repository, 'refs'), { recursive: true });
  await writeFile(join(repository, 'refs', 'main'), 'abc\n');
  expect(findCheckpoint('org/model', env)).toBeUndefined();
  await mkdir(snapshot, { recursive: true });
  expect(findCheckpoint('org/model', env)).toBe(snapshot);
  expect(findCheckpoint('org/model', { HF_HUB_CACHE: join(home, 'hub') })).toBe(snapshot);
});
