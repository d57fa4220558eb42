import { relative } from 'node:path';

/** A path as a person would write it here. */
export function shownPath(cwd: string, path: string): string {
  const below = relative(cwd, path);
  return below.startsWith('..') ? path : below || '.';
}
