import { access, readdir, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { readJsonLines } from '@art/eval/records';
import { ArtError, isJsonObject } from '@art/protocol';
import { EvaluationFolder } from './evaluation-folder.ts';
import { GroupsFile } from './groups-file.ts';
import { ItemsFile } from './items-file.ts';
import { itemSampleOf } from './item-sample-of.ts';
import { TrainingFolder } from './training-folder.ts';

export type RunFolder = EvaluationFolder | ItemsFile | TrainingFolder | GroupsFile;

/** Of a folder of runs, as many of the newest are shown. */
const mostRuns = 50;

/**
 * Opens folders of runs, and files of groups or rollouts. A folder that is none itself stands for those in it, the newest first.
 * @throws ArtError `ART_INVALID_OPTION` where a path is no folder, or has no run
 */
export async function findRuns(
  folders: readonly string[],
  now: () => number = Date.now,
): Promise<RunFolder[]> {
  const runs: RunFolder[] = [];
  for (const folder of folders) {
    const own = await openRun(resolve(folder), now);
    if (own !== undefined) {
      runs.push(own);
      continue;
    }
    const below = await runsBelow(resolve(folder), now);
    if (below.length === 0) {
      throw new ArtError({
        code: 'ART_INVALID_OPTION',
        message: `Expected the folder of a run (it has a run.json or a learn.jsonl), a folder of such folders, or a .jsonl file of groups or rollouts, got ${folder}. "art eval" makes one.`,
      });
    }
    runs.push(...below);
  }
  return runs;
}

async function openRun(folder: string, now: () => number): Promise<RunFolder | undefined> {
  if (await exists(join(folder, 'run.json'))) return EvaluationFolder.open(folder, now);
  if (extname(folder) === '.jsonl' && (await stat(folder).catch(() => undefined))?.isFile() === true)
    return (await hasItems(folder)) ? new ItemsFile(folder, now) : new GroupsFile(folder, now);
  if (await exists(join(folder, 'learn.jsonl'))) return TrainingFolder.open(folder, now);
  return undefined;
}

/** By its first line that says what it is. */
async function hasItems(file: string): Promise<boolean> {
  for await (const { value } of readJsonLines(file)) {
    if (isJsonObject(value) && Array.isArray(value['members'])) return false;
    if (itemSampleOf(value, (_, id) => id) !== undefined) return true;
  }
  return false;
}

async function runsBelow(folder: string, now: () => number): Promise<RunFolder[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  const paths = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  const found = await Promise.all(
    paths.map(async (path) => ({ run: await openRun(path, now), atMs: (await stat(path)).mtimeMs })),
  );
  return found
    .filter((entry): entry is { run: RunFolder; atMs: number } => entry.run !== undefined)
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, mostRuns)
    .map(({ run }) => run);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
