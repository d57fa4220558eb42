import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Which core a process is to have for itself. Load generator and engine share one: they wait for each other anyway. */
export type CoreRole = 'load' | 'subject';

let isAvailable: boolean | undefined;

/** True if processes can be held on a core here: `taskset` exists on Linux only, and one core is not enough. */
export function canPin(): boolean {
  isAvailable ??= availableParallelism() > 1 && hasTaskset();
  return isAvailable;
}

/** The command that starts an executable on the core of its role, or anywhere where it has none or that cannot be had. */
export function pinned(
  role: CoreRole | undefined,
  executable: string,
  parameters: readonly string[],
): [string, string[]] {
  if (role === undefined || !canPin()) return [executable, [...parameters]];
  return ['taskset', ['-c', role === 'load' ? '0' : '1', executable, ...parameters]];
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['-c', '0,1', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
