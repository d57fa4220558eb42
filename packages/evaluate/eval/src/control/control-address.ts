import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isJsonObject } from '@art/ground';

/** macOS takes 104 bytes with the closing zero, Linux 108 (sys/un.h). */
export const longestSocketPathBytes = 103;

/** Says where the socket is, in runs whose own path is too long for one. */
export const addressFile = 'control.json';

/** The socket in the folder of a run. */
export async function socketInFolder(folder: string): Promise<string> {
  return join(await realpath(folder).catch(() => resolve(folder)), 'control.sock');
}

/** Where the socket of a run is, or would be. */
export async function controlAddress(folder: string): Promise<string> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, addressFile), 'utf8'));
    if (isJsonObject(value) && typeof value['socket'] === 'string') return value['socket'];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !(error instanceof SyntaxError)) throw error;
  }
  return socketInFolder(folder);
}
