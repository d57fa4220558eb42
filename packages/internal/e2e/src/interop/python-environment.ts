import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { findPython, type PythonInterpreter } from './find-python.ts';

/** A Python that has the packages of a requirements.txt, or why there is none. */
export type PythonEnvironment =
  | {
      kind: 'ready';
      executable: string;
      /** Where the source packages are unpacked. */
      sources: string;
    }
  | { kind: 'missing'; reason: string };

/** Packages of an environment. */
export interface PythonPackages {
  requirementsFile: string;
  /** The minor version of Python 3 that they need. @default 11 */
  least?: number;
  /** Modules that an environment that works has, with a comma and a space between them. */
  probe: string;
  /** Source packages that are unpacked beside it, for what the installed ones leave out: `name==version`. @default [] */
  sources?: readonly string[];
  /** Packages that are installed without what they ask for: `name==version`. @default [] */
  bare?: readonly string[];
}

/** The published Python toolkit. */
export const toolkitPackages: PythonPackages = {
  requirementsFile: join(import.meta.dirname, 'requirements.txt'),
  probe: 'agentcore_rl_toolkit',
};

const run = promisify(execFile);
const cacheRoot = join(import.meta.dirname, '../../../../../node_modules/.cache/art-python');
const marker = 'complete';

/** Makes an environment, or takes the one that an earlier run left in `node_modules/.cache`. */
export async function preparePython(packages: PythonPackages = toolkitPackages): Promise<PythonEnvironment> {
  const python = await findPython(packages.least);
  if (python === undefined)
    return { kind: 'missing', reason: `no Python of at least 3.${packages.least ?? 11} with venv was found` };
  const requirements = await readFile(packages.requirementsFile, 'utf8');
  const digest = createHash('sha256')
    .update([python.identity, requirements, ...(packages.sources ?? []), ...(packages.bare ?? [])].join('\n'))
    .digest('hex')
    .slice(0, 16);
  const directory = join(cacheRoot, digest);
  if (!(await isUsable(directory, packages))) {
    const reason = await install(python, directory, packages);
    if (reason !== undefined) return { kind: 'missing', reason };
  }
  return { kind: 'ready', executable: executableIn(directory), sources: sourcesIn(directory) };
}

/**
 * Builds under its own name and moves it into place when it is whole: runs that start together cannot see half an
 * environment. It may be moved because only its interpreter is used, never the scripts that pip writes paths into.
 */
async function install(
  python: PythonInterpreter,
  directory: string,
  packages: PythonPackages,
): Promise<string | undefined> {
  const building = `${directory}.${randomUUID()}`;
  const pip = async (...command: string[]): Promise<unknown> =>
    run(
      executableIn(await installer(python)),
      [
        '-m',
        'pip',
        '--python',
        executableIn(building),
        ...command,
        '--quiet',
        '--disable-pip-version-check',
        '--no-input',
      ],
      { timeout: 480_000 },
    );
  try {
    await mkdir(building, { recursive: true });
    await run(python.executable, ['-m', 'venv', '--without-pip', building]);
    // What is imported is compiled then; of most packages that is little.
    await pip('install', '--no-compile', '-r', packages.requirementsFile);
    if (packages.bare !== undefined) await pip('install', '--no-compile', '--no-deps', ...packages.bare);
    const sources = sourcesIn(building);
    for (const source of packages.sources ?? []) {
      // Of this package alone: of all, pip would build the tools that read its metadata from their sources, too, for a minute.
      const [name = source] = source.split('==');
      await pip('download', '--no-deps', '--no-binary', name, '--dest', sources, source);
    }
    for (const archive of await Array.fromAsync(glob('*.tar.gz', { cwd: sources }))) {
      await run(executableIn(building), ['-m', 'tarfile', '-e', join(sources, archive), sources]);
    }
    await writeFile(join(building, marker), '');
    await moveInto(building, directory, packages);
    return undefined;
  } catch (error) {
    return `the packages of ${relative(process.cwd(), packages.requirementsFile)} could not be installed (${summary(error)})`;
  } finally {
    await rm(building, { recursive: true, force: true, maxRetries: 10 });
  }
}

let made: Promise<string> | undefined;

/** An environment with pip, which installs into all others: one of its own for each would take longer than what it installs. */
function installer(python: PythonInterpreter): Promise<string> {
  made ??= (async () => {
    const digest = createHash('sha256').update(python.identity).digest('hex').slice(0, 16);
    const directory = join(cacheRoot, `pip-${digest}`);
    if (await isUsable(directory, { probe: 'pip' })) return directory;
    const building = `${directory}.${randomUUID()}`;
    await run(python.executable, ['-m', 'venv', building]);
    await writeFile(join(building, marker), '');
    await moveInto(building, directory, { probe: 'pip' });
    return directory;
  })();
  return made;
}

async function moveInto(
  building: string,
  directory: string,
  packages: Pick<PythonPackages, 'probe'>,
): Promise<void> {
  if (existsSync(directory) && !(await isUsable(directory, packages))) {
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
  try {
    await rename(building, directory);
  } catch (error) {
    // Another run was first, and what it made is as good.
    if (!(await isUsable(directory, packages))) throw error;
  }
}

// A base interpreter that was upgraded or removed leaves an environment whose links lead nowhere.
async function isUsable(directory: string, { probe }: Pick<PythonPackages, 'probe'>): Promise<boolean> {
  if (!existsSync(join(directory, marker))) return false;
  // Found and not imported: that alone takes some of them two seconds.
  const finds = `from importlib.util import find_spec; assert all(map(find_spec, "${probe}".split(", ")))`;
  return run(executableIn(directory), ['-c', finds]).then(
    () => true,
    () => false,
  );
}

function executableIn(directory: string): string {
  return join(directory, 'bin', 'python');
}

function sourcesIn(directory: string): string {
  return join(directory, 'sources');
}

// pip's words hold the addresses of registries, which may be private ones with a password in them.
function summary(error: unknown): string {
  const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
  const package_ = /No matching distribution found for (\S+)/.exec(stderr)?.[1];
  return package_ === undefined ? `exit code ${String(code)}` : `no registry has ${package_}`;
}
