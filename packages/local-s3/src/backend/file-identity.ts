import type { BigIntStats } from 'node:fs';

/**
 * Tells one version of a file from the next: files are replaced and never changed in place, so another content has another
 * inode or time. What is remembered about a file holds for this identity only.
 */
export function fileIdentity(stats: BigIntStats): string {
  return `${stats.ino}-${stats.size}-${stats.mtimeNs}`;
}

/** Whether an error says that nothing is at a path: no such name, or a file where a directory would be. */
export function isNotThere(error: unknown): boolean {
  const code = errorCodeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The `code` of a system error, `ENOENT`. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
