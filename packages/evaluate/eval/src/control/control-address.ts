import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { folderHolder, freshId } from '@art/ground';

/** macOS takes 104 bytes with the closing zero, Linux 108 (sys/un.h). */
const longestSocketPathBytes = 103;

/** A place for the socket of a run: in its folder, or below the temporary one where the path would be too long. */
export function newControlAddress(folder: string): string {
  const near = join(resolve(folder), 'control.sock');
  return Buffer.byteLength(near) <= longestSocketPathBytes
    ? near
    : join(realpathSync(tmpdir()), `art-${freshId().slice(0, 8)}`, 's');
}

/** Where the process that works on a run listens. @returns undefined where none does */
export function controlAddress(folder: string): string | undefined {
  const socket = folderHolder(folder)?.facts['socket'];
  return typeof socket === 'string' ? socket : undefined;
}
