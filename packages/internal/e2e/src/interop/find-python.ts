import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface PythonInterpreter {
  executable: string;
  /** Version, system and processor: what decides which packages fit. */
  identity: string;
}

const candidates = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'];

// ensurepip is missing on systems that split it off (Debian without python3-venv); such a Python makes no environments.
const probe = `
import sys, platform, venv, ensurepip
assert sys.version_info >= (3, 11)
print(sys.executable)
print(platform.python_version(), sys.platform, platform.machine())
`;

/** The first Python of at least 3.11 on the PATH that can make virtual environments. */
export async function findPython(): Promise<PythonInterpreter | undefined> {
  for (const command of candidates) {
    try {
      const { stdout } = await promisify(execFile)(command, ['-c', probe]);
      const [executable, identity] = stdout.trim().split('\n');
      if (executable !== undefined && identity !== undefined) return { executable, identity };
    } catch {
      // Not there, too old or incomplete: the next one may do.
    }
  }
  return undefined;
}
