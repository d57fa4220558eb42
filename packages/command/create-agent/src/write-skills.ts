import { access, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArtError, makeDirectory } from '@art/ground';
import { guideFiles } from './guide-files.ts';
import { loadSkills } from './skills.ts';

/**
 * Writes the skills into a project that exists. Skills of an earlier version are replaced; guides that the project has stay as they are.
 * @returns the paths that were written, and those of guides that do not name the skills, from the folder
 * @throws ArtError `ART_INVALID_OPTION` before anything is written
 */
export async function writeSkills(folder: string): Promise<{ written: string[]; silent: string[] }> {
  await access(join(folder, 'package.json')).catch((cause: unknown) => {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected ${folder} to be a project with a package.json. For a new one leave out --skills.`,
      cause,
    });
  });
  const { skills, guides } = guideFiles(await loadSkills());
  for (const [path, text] of Object.entries(skills)) {
    await makeDirectory(dirname(join(folder, path)));
    await writeFile(join(folder, path), text);
  }
  const written = Object.keys(skills);
  const silent: string[] = [];
  for (const [path, text] of Object.entries(guides)) {
    const isWritten = await writeFile(join(folder, path), text, { flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (isWritten) written.push(path);
    else if (!(await namesSkills(join(folder, path)))) silent.push(path);
  }
  return { written, silent };
}

/** True if a guide names the skills, or includes the one that does. */
async function namesSkills(path: string): Promise<boolean> {
  return /\.agents\/skills|@AGENTS\.md/.test(await readFile(path, 'utf8'));
}
