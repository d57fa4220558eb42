import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { GitState } from '../records/run-record.ts';

const run = promisify(execFile);

/** State of the repository that a folder belongs to; null where there is none, or no git. */
export async function gitState(cwd: string): Promise<GitState | null> {
  const git = async (...args: string[]): Promise<string> => {
    // No optional locks: a git command of the user's own must not fail because of this one.
    const { stdout } = await run('git', ['--no-optional-locks', ...args], { cwd, timeout: 10_000 });
    return stdout.trim();
  };
  try {
    const [commit, branch, changes] = await Promise.all([
      git('rev-parse', 'HEAD'),
      git('branch', '--show-current'),
      git('status', '--porcelain', '--untracked-files=no'),
    ]);
    return { commit, branch: branch === '' ? null : branch, isDirty: changes !== '' };
  } catch {
    return null;
  }
}
