import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TemporaryFiles } from '@art/store';

const dayMs = 86_400_000;

/**
 * Uploads that nobody will clear away. A process that is killed leaves what it was writing, which the next one may not touch at once:
 * it cannot tell it from the file of a writer on another machine. Later it has to.
 * @param killedAtMs when writers were killed, which had no chance to remove their own
 */
export async function leftUploads(directory: string, killedAtMs: readonly number[]): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  const lastKillMs = Math.max(0, ...killedAtMs);
  // A name says nothing of its writer; what was written after the last kill is of one that lived.
  const ofLiving: string[] = [];
  for (const name of names) if ((await stat(join(directory, name))).mtimeMs > lastKillMs) ofLiving.push(name);
  const later = new TemporaryFiles(directory, () => Date.now() + dayMs);
  await (await later.create()).discard();
  const neverSwept = await readdir(directory).catch(() => []);
  return [...new Set([...ofLiving, ...neverSwept])];
}
