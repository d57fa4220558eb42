import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonLines } from '@art/ground';
import { readGroupRecord, readRolloutRecord } from '@art/trajectories';
import { runPath } from './run-folder.ts';

/** Record at a path. */
export type RecordedRun =
  /** Folder of `art eval`. */
  | { kind: 'evaluation'; folder: string }
  /** Folder of `art train`, or of a loop that writes `learn.jsonl`. `steps` has a line for each step, `rollouts` for each rollout. */
  | { kind: 'training'; folder: string; steps: string; rollouts: string | undefined }
  /** Rollouts, a line each, as `art invoke --out` writes them. */
  | { kind: 'rollouts'; file: string }
  /** Groups, a line each, as `art resume --out` writes them, and `art collect` sends and keeps them. */
  | { kind: 'groups'; files: readonly string[] };

/** Records that a path can name, for messages. */
export const recordedRunKinds =
  'a folder of "art eval" (it has a run.json), of "art train" (a metrics.jsonl) or of "art collect" (its --state), or a file with the lines of "art invoke --out", "art resume --out" or of the groups that "art collect" sent';

/** Undefined where a path names nothing that was recorded. */
export async function recogniseRun(path: string): Promise<RecordedRun | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return recogniseFile(path);
  if (found?.isDirectory() !== true) return undefined;
  if (await isFile(runPath(path, 'run'))) return { kind: 'evaluation', folder: path };
  for (const name of ['metrics.jsonl', 'learn.jsonl']) {
    const [steps, rollouts] = [join(path, name), join(path, 'rollouts.jsonl')];
    if (await isFile(steps))
      return {
        kind: 'training',
        folder: path,
        steps,
        rollouts: (await isFile(rollouts)) ? rollouts : undefined,
      };
  }
  return recogniseRequests(path);
}

/** By its first line that says what it is. A file without any is one of groups that are still to come. */
async function recogniseFile(file: string): Promise<RecordedRun | undefined> {
  let isEmpty = true;
  for await (const { value } of readJsonLines(file)) {
    isEmpty = false;
    if (readGroupRecord(value) !== undefined) return { kind: 'groups', files: [file] };
    if (readRolloutRecord(value) !== undefined) return { kind: 'rollouts', file };
  }
  return isEmpty && file.endsWith('.jsonl') ? { kind: 'groups', files: [file] } : undefined;
}

/** Finds what `art collect` keeps: `requests/<id>/<index>.json`, until the trainer has acknowledged the group. */
async function recogniseRequests(folder: string): Promise<RecordedRun | undefined> {
  const root = join(folder, 'requests');
  const requests = await readdir(root).catch(() => undefined);
  if (requests === undefined) return undefined;
  const files: string[] = [];
  for (const request of requests.toSorted())
    for (const name of await readdir(join(root, request)).catch(() => []))
      if (/^\d+\.json$/.test(name)) files.push(join(root, request, name));
  return { kind: 'groups', files };
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
