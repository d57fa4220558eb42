import { readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ArtError, refuseOption, makeDirectory } from '@art/ground';
import { type Framework, frameworks } from './frameworks.ts';
import { projectFiles } from './project-files.ts';
import { loadSkills } from './skills.ts';
import { loadTemplates } from './templates.ts';

export interface ProjectOptions {
  /** Where it is written: a folder that does not exist, or has nothing in it but `.git`. */
  folder: string;
  framework: Framework;
  /** Name of the package. @default made of the folder's name */
  name?: string | undefined;
}

/** The name of a package made of that of a folder: `My Agent` gives `my-agent`. */
export function packageNameFrom(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '');
  return name === '' ? 'my-agent' : name.slice(0, 214);
}

/**
 * Writes a project with an agent that runs, is evaluated and can be deployed. Nothing is installed.
 * @returns the paths that were written, from the folder
 * @throws ArtError `ART_INVALID_OPTION` before anything is written
 */
export async function createProject(options: ProjectOptions): Promise<string[]> {
  const { folder, framework, name = packageNameFrom(folder) } = options;
  if (!frameworks.includes(framework))
    refuseOption('framework', `one of ${frameworks.join(', ')}`, framework);
  // As https://docs.npmjs.com/cli/configuring-npm/package-json#name has it.
  if (!/^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(name) || name.length > 214)
    refuseOption('name', 'a name for a package, in small letters, such as my-agent', name);
  await checkEmpty(folder);
  const files = Object.entries(projectFiles(name, (await loadTemplates())[framework], await loadSkills()));
  for (const [path, text] of files) {
    await makeDirectory(dirname(join(folder, path)));
    await writeFile(join(folder, path), text, { flag: 'wx' });
  }
  return files.map(([path]) => path);
}

async function checkEmpty(folder: string): Promise<void> {
  let present: string[];
  try {
    present = await readdir(folder);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected ${folder} to be a folder that can be read (${code}).`,
      cause,
    });
  }
  const [first] = present.filter((name) => name !== '.git');
  if (first !== undefined)
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected ${folder} to be an empty folder, and there is ${first} in it. Name another one.`,
    });
}
