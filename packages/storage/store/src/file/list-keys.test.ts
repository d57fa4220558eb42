import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { FileResultStore } from './file-result-store.ts';
import { listKeys } from './list-keys.ts';
import { SortedDirectories } from './sorted-directory.ts';
import { storeRoot } from './store-root.fixture.ts';

describe('listing files', () => {
  it('reads only the directories that can hold keys of the page', async () => {
    const root = await storeRoot();
    const store = new FileResultStore({ root, durability: 'process' });
    for (let index = 0; index < 30; index += 1) {
      await store.put({ bucket: 'b', key: `exp-${index % 3}/input-${10 + index}/s.json` }, '{}');
    }
    const directories = new SortedDirectories(Date.now);
    const read = vi.spyOn(directories, 'read');
    const bucket = join(root, 'b');
    const page = await listKeys(
      directories,
      root,
      { bucket: 'b', prefix: 'exp-1/input-', startAfter: 'exp-1/input-32/s.json', limit: 1 },
      {},
    );
    expect(page).toEqual({ keys: ['exp-1/input-35/s.json'], truncated: true });
    expect(read.mock.calls.map(([path]) => path.slice(bucket.length + 1))).toEqual([
      'exp-1',
      'exp-1/input-32',
      'exp-1/input-35',
      'exp-1/input-38',
    ]);
  });

  it('remembers a large directory while it does not change, and no longer', async () => {
    const root = await storeRoot();
    await mkdir(root);
    await Promise.all(Array.from({ length: 300 }, (_, index) => writeFile(join(root, `${index}.json`), '')));
    let nowMs = Date.now() + 5_000; // as if the directory had been left alone for that long
    const directories = new SortedDirectories(() => nowMs);
    const first = await directories.read(root);
    expect(first).toHaveLength(300);
    expect(await directories.read(root)).toBe(first);
    nowMs += 11_000;
    const again = await directories.read(root);
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
    await writeFile(join(root, 'new.json'), '');
    expect(await directories.read(root)).toHaveLength(301);
  });

  it('does not remember a directory that has just changed', async () => {
    const root = await storeRoot();
    const nowMs = Date.now(); // as if the writes took no time
    await mkdir(root);
    await Promise.all(Array.from({ length: 300 }, (_, index) => writeFile(join(root, `${index}.json`), '')));
    const directories = new SortedDirectories(() => nowMs);
    expect(await directories.read(root)).not.toBe(await directories.read(root));
  });
});
