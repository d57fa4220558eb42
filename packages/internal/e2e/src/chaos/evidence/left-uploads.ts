import { readdir } from 'node:fs/promises';
import { TemporaryFiles } from '@art/store';

const dayMs = 86_400_000;

/**
 * Uploads that nobody will clear away. A process that is killed leaves what it was writing, which the next one may not touch at once:
 * it cannot tell it from the file of a writer on another machine. Later it has to.
 * @param killedPids the processes that had no chance to remove their own
 */
export async function leftUploads(directory: string, killedPids: readonly number[]): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  const ofLiving = names.filter((name) => !killedPids.includes(Number.parseInt(name, 10)));
  const later = new TemporaryFiles(directory, () => Date.now() + dayMs);
  await (await later.create()).discard();
  const neverSwept = await readdir(directory).catch(() => []);
  return [...new Set([...ofLiving, ...neverSwept])];
}
