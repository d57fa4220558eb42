import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPython, type PythonInterpreter } from './find-python.ts';

/** A Python that has the packages of requirements.txt, or why there is none. */
export type PythonEnvironment = { kind: 'ready'; executable: string } | { kind: 'missing'; reason: string };

const run = promisify(execFile);
const requirementsFile = join(import.meta.dirname, 'requirements.txt');
const cacheRoot = join(import.meta.dirname, '../../../../node_modules/.cache/art-python');
const marker = 'complete';

/** Makes the environment, or takes the one that an earlier run left in `node_modules/.cache`. */
export async function preparePython(): Promise<PythonEnvironment> {
  const python = await findPython();
  if (python === undefined)
    return { kind: 'missing', reason: 'no Python of at least 3.11 with venv was found' };
  const requirements = await readFile(requirementsFile, 'utf8');
  const digest = createHash('sha256')
    .update(`${python.identity}\n${requirements}`)
    .digest('hex')
    .slice(0, 16);
  const directory = join(cacheRoot, digest);
  if (!(await isUsable(directory))) {
    const reason = await install(python, directory);
    if (reason !== undefined) return { kind: 'missing', reason };
  }
  return { kind: 'ready', executable: executableIn(directory) };
}

/**
 * Builds under a name of its own and moves it into place when it is whole: runs that start together cannot see half an
 * environment. It may be moved because only its interpreter is used, never the scripts that pip writes paths into.
 */
async function install(python: PythonInterpreter, directory: string): Promise<string | undefined> {
  const building = `${directory}.${randomUUID()}`;
  try {
    await mkdir(building, { recursive: true });
    await run(python.executable, ['-m', 'venv', building]);
    await run(
      executableIn(building),
      [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--disable-pip-version-check',
        '--no-input',
        '-r',
        requirementsFile,
      ],
      { timeout: 480_000 },
    );
    await writeFile(join(building, marker), '');
    await moveInto(building, directory);
    return undefined;
  } catch (error) {
    return `the packages of src/interop/requirements.txt could not be installed (${summary(error)})`;
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

async function moveInto(building: string, directory: string): Promise<void> {
  if (existsSync(directory) && !(await isUsable(directory))) {
    await rm(directory, { recursive: true, force: true });
  }
  try {
    await rename(building, directory);
  } catch (error) {
    // Another run was first, and what it made is as good.
    if (!(await isUsable(directory))) throw error;
  }
}

// A base interpreter that was upgraded or removed leaves an environment whose links lead nowhere.
async function isUsable(directory: string): Promise<boolean> {
  if (!existsSync(join(directory, marker))) return false;
  return run(executableIn(directory), ['-c', 'import agentcore_rl_toolkit']).then(
    () => true,
    () => false,
  );
}

function executableIn(directory: string): string {
  return join(directory, 'bin', 'python');
}

// pip's words hold the addresses of registries, which may be private ones with a password in them.
function summary(error: unknown): string {
  const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
  const package_ = /No matching distribution found for (\S+)/.exec(stderr)?.[1];
  return package_ === undefined ? `exit code ${String(code)}` : `no registry has ${package_}`;
}
