import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type DiskCaptureStoreOptions, DiskCaptureStore } from './disk-capture-store.ts';

/** A directory for each test, in which it may open stores that are closed for it. */
export interface DiskDirectory {
  openStore: (options?: Partial<DiskCaptureStoreOptions>) => Promise<DiskCaptureStore>;
  /** Paths of the files of sessions. */
  sessionFiles: () => Promise<string[]>;
  pathOf: (name: string) => string;
}

/** Call it once in a test file. */
export function useDiskDirectory(): DiskDirectory {
  let directory = '';
  const stores: DiskCaptureStore[] = [];
  const pathOf = (name: string): string => join(directory, name);
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'art-disk-'));
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  });
  return {
    pathOf,
    openStore: async (options = {}) => {
      const store = await DiskCaptureStore.open({ directory, ...options });
      stores.push(store);
      return store;
    },
    sessionFiles: async () => {
      const names = await readdir(directory);
      return names
        .filter((name) => name.endsWith('.captures'))
        .toSorted()
        .map(pathOf);
    },
  };
}
