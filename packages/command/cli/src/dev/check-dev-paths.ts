import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { refuseOption } from '@art/ground';
import type { DevOptions } from './dev-options.ts';

/**
 * Looks at the paths of the options before anything is started.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkDevPaths(options: Pick<DevOptions, 'data' | 'logDir' | 'watch'>, cwd: string): void {
  checkFolder('--data', options.data, cwd);
  checkFolder('--log-dir', options.logDir, cwd);
  for (const path of options.watch || []) {
    if (!find(path, cwd)) refuseOption('--watch', 'an existing file or folder', resolve(cwd, path));
  }
}

/** A folder that is not there yet is made when it is needed. */
function checkFolder(option: string, path: string | undefined, cwd: string): void {
  if (path === undefined || (find(path, cwd)?.isDirectory() ?? true)) return;
  refuseOption(option, 'a folder', resolve(cwd, path));
}

function find(path: string, cwd: string): ReturnType<typeof statSync> {
  return statSync(resolve(cwd, path), { throwIfNoEntry: false });
}
