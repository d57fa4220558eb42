import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { recogniseRun, recordedRunKinds } from '@art/eval/records';
import { ArtError } from '@art/ground';
import { EvaluationFolder } from './evaluation-folder.ts';
import { GroupsFile } from './groups-file.ts';
import { ItemsFile } from './items-file.ts';
import { ReportFolder } from './report-folder.ts';
import { TrainingFolder } from './training-folder.ts';

export type RunFolder = EvaluationFolder | ItemsFile | TrainingFolder | GroupsFile | ReportFolder;

/** Most runs that are shown of a folder of runs, the newest ones. */
const mostRuns = 50;

/**
 * Opens folders of runs, audits and matrices, and files of groups or rollouts. A folder that is none itself stands for those in it, the newest first.
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
        message: `Expected ${recordedRunKinds}, an audit of "art audit", or a folder of such folders, got ${folder}.`,
      });
    }
    runs.push(...below);
  }
  return runs;
}

async function openRun(path: string, now: () => number): Promise<RunFolder | undefined> {
  const run = await recogniseRun(path);
  switch (run?.kind) {
    case undefined:
      return ReportFolder.ofAudit(path);
    case 'evaluation':
      return EvaluationFolder.open(run.folder, now);
    case 'training':
      return new TrainingFolder(run, now);
    case 'rollouts':
      return new ItemsFile(run.file, now);
    case 'groups':
      return new GroupsFile(path, now);
  }
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
  const runs = found
    .filter((entry): entry is { run: RunFolder; atMs: number } => entry.run !== undefined)
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, mostRuns)
    .map(({ run }) => run);
  const isMatrix = runs.some((run) => run.kind === 'evaluation' && run.info().run?.options['matrix']);
  const cells = runs.filter(({ kind }) => kind === 'evaluation').map((run) => run.folder);
  return isMatrix ? [ReportFolder.ofMatrix(folder, cells), ...runs] : runs;
}
