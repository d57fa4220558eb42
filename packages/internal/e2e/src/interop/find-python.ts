import { execFile } from 'node:child_process';
import { glob } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface PythonInterpreter {
  executable: string;
  /** Version, system and processor: what decides which packages fit. */
  identity: string;
}

const onPath = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'];

// ensurepip is missing on systems that split it off (Debian without python3-venv); such a Python makes no environments.
const probe = `
import sys, platform, venv, ensurepip
assert sys.version_info >= (3, int(sys.argv[1]))
print(sys.executable)
print(platform.python_version(), sys.platform, platform.machine())
`;

/**
 * The first Python that can make virtual environments, on the PATH or among those of pyenv.
 * @param least the minor version of Python 3 that it has at least
 */
export async function findPython(least = 11): Promise<PythonInterpreter | undefined> {
  const root = process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv');
  const kept = await Array.fromAsync(glob('versions/3.*/bin/python3', { cwd: root }));
  for (const command of [...onPath, ...kept.toSorted().map((path) => join(root, path))]) {
    try {
      const { stdout } = await promisify(execFile)(command, ['-c', probe, String(least)]);
      const [executable, identity] = stdout.trim().split('\n');
      if (executable !== undefined && identity !== undefined) return { executable, identity };
    } catch {
      // Not there, too old or incomplete: the next one may do.
    }
  }
  return undefined;
}
