import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A path for the root of a store, in a directory that goes when the test ends. The root itself does not exist yet. */
export async function storeRoot(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'art-store-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true, maxRetries: 10 }));
  return join(parent, 'root');
}

/** Every file below a directory, relative to it, in order. */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .toSorted();
}
