import { constants, existsSync } from 'node:fs';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runPath } from '@art/eval/records';
import { ArtError, makeDirectory } from '@art/ground';

const name = /^\w[\w.-]{0,99}$/;

/** The folder of a run that is named by its path, or by the name under which `--save-as` keeps it. */
export function baselineFolder(text: string, cwd: string): string {
  const path = resolve(cwd, text);
  const saved = savedFolder(text, cwd);
  return !existsSync(path) && name.test(text) && existsSync(saved) ? saved : path;
}

/** @throws ArtError `ART_INVALID_OPTION` for what is no name */
export function checkBaselineName(text: string): void {
  if (name.test(text)) return;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected --save-as to be a name of letters, digits, ".", "_" and "-", got ${JSON.stringify(text)}.`,
  });
}

/** Keeps a copy of a finished run under a name, in the place of an earlier one. @returns the folder */
export async function saveBaseline(folder: string, text: string, cwd: string): Promise<string> {
  const saved = savedFolder(text, cwd);
  const root = resolve(saved, '..');
  await makeDirectory(root);
  const fresh = await mkdtemp(join(root, '.saving-'));
  try {
    for (const file of ['run', 'samples', 'transcripts', 'results'] as const)
      await copyFile(runPath(folder, file), runPath(fresh, file), constants.COPYFILE_FICLONE);
    await rm(saved, { recursive: true, force: true });
    await rename(fresh, saved);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return saved;
}

function savedFolder(text: string, cwd: string): string {
  return join(cwd, '.art', 'baselines', text);
}
