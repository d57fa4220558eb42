import { readdir, stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { Tombstones } from '../retention.ts';
import { useDiskDirectory } from './disk-directory.fixture.ts';
import { EndedSessions } from './ended-sessions.ts';
import { FrameFile } from './frame-file.ts';
import { OpenFiles } from './open-files.ts';

const { openStore, pathOf } = useDiskDirectory();

it('is written anew where most of it is forgotten, and knows the rest after a restart', async () => {
  const tombstones = new Tombstones({ maxTombstones: 100, tombstoneTtlMs: 1e12 });
  const files = new OpenFiles('process');
  const file = new FrameFile(files, pathOf('ended.log'));
  const ended = new EndedSessions(file, 0, { files, tombstones });
  const ids = Array.from({ length: 11_000 }, (_, index) => `s${index}`);
  const now = Date.now();
  for (const sessionId of ids) tombstones.add(sessionId, { end: 'deleted', atMs: now });
  const half = ids.length / 2;
  await Promise.all([
    ended.add(ids.slice(0, half), 'deleted', now),
    ended.add(ids.slice(half), 'deleted', now),
  ]);
  expect((await stat(pathOf('ended.log'))).size).toBeLessThan(100 * 200);
  expect(await readdir(pathOf(''))).toEqual(['ended.log']);
  await ended.add(['after'], 'deleted', now);
  await files.closeAll();
  const store = await openStore();
  expect(store.stats().tombstones).toBe(101);
  expect(await Promise.all(['s0', 's10999', 'after'].map((id) => store.isDeleted(id)))).toEqual([
    false,
    true,
    true,
  ]);
});
