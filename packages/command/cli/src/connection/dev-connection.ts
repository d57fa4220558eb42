import { isProcessAlive } from '@art/ground';
import { readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '@art/store';

/** Folder, in the one where `art dev` runs, that says where it is. */
export const connectionFolder = '.art';

/** A running `art dev`, as its file tells of it. */
export interface DevConnection {
  version: 1;
  /** Process that holds everything; the connection is stale when it has gone. */
  pid: number;
  /** `http://127.0.0.1:PORT` */
  endpoint: string;
  agentRuntimeArn: string;
  bucket: string;
  region: string;
}

const fileName = 'dev.json';

/** What a search for a running `art dev` found. `stale`: one was here and has died without a word. */
export type FoundConnection =
  | { kind: 'running'; connection: DevConnection }
  | { kind: 'stale'; path: string; pid: number | undefined }
  | { kind: 'none' };

/**
 * Says in a file of this folder where `art dev` is.
 * @returns the connection of another one that still runs and was in its place
 */
export async function writeDevConnection(
  folder: string,
  connection: DevConnection,
): Promise<DevConnection | undefined> {
  const path = join(folder, connectionFolder, fileName);
  const earlier = await readConnection(path);
  await replaceFile(path, `${JSON.stringify(connection, null, 2)}\n`, { isDurable: false });
  return typeof earlier === 'object' && isProcessAlive(earlier.pid) ? earlier : undefined;
}

/** Removes the file, and its folder where nothing else is in it, unless it is another process's by now. */
export async function removeDevConnection(folder: string, pid: number): Promise<void> {
  const path = join(folder, connectionFolder, fileName);
  const found = await readConnection(path);
  if (typeof found !== 'object' || found.pid !== pid) return;
  await rm(path, { force: true });
  await rmdir(dirname(path)).catch(() => undefined);
}

/** Looks in a folder and those above it. */
export async function findDevConnection(folder: string): Promise<FoundConnection> {
  const path = join(folder, connectionFolder, fileName);
  const found = await readConnection(path);
  if (found === 'none') {
    const parent = dirname(folder);
    return parent === folder ? { kind: 'none' } : findDevConnection(parent);
  }
  if (found === 'unreadable') return { kind: 'stale', path, pid: undefined };
  return isProcessAlive(found.pid)
    ? { kind: 'running', connection: found }
    : { kind: 'stale', path, pid: found.pid };
}

async function readConnection(path: string): Promise<DevConnection | 'none' | 'unreadable'> {
  try {
    return parseDevConnection(await readFile(path, 'utf8')) ?? 'unreadable';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'none' : 'unreadable';
  }
}

/** Reads the text of a connection file; undefined where it is none, such as one that another version wrote. */
function parseDevConnection(text: string): DevConnection | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { version, pid, endpoint, agentRuntimeArn, bucket, region } = (value ?? {}) as Record<
    string,
    unknown
  >;
  const isPid = Number.isSafeInteger(pid) && (pid as number) > 0;
  // A file that somebody left in a folder above must not lead payloads off this machine.
  const isEndpoint = typeof endpoint === 'string' && /^http:\/\/127\.0\.0\.1:\d+$/.test(endpoint);
  if (version !== 1 || !isPid || !isEndpoint) return undefined;
  if (typeof agentRuntimeArn !== 'string' || typeof bucket !== 'string' || typeof region !== 'string') {
    return undefined;
  }
  return { version, pid: pid as number, endpoint, agentRuntimeArn, bucket, region };
}
