import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { folderHolder, holdFolder, lastHolder, type FolderHolder } from '@art/ground';

/** Folder, in the one where `art dev` runs, that says where it is. */
export const connectionFolder = '.art';

/** A running `art dev`. */
export interface DevConnection {
  pid: number;
  /** `http://127.0.0.1:PORT` */
  endpoint: string;
  agentRuntimeArn: string;
  bucket: string;
  region: string;
}

/** Result of a search for a running `art dev`. `stale`: its record is there, but the process is gone or the record cannot be read. */
export type FoundConnection =
  | { kind: 'running'; connection: DevConnection }
  | { kind: 'stale'; path: string; pid: number | undefined }
  | { kind: 'none' };

/**
 * Tells commands in this folder and below where this `art dev` is, until it is disposed of.
 * @throws ArtError `ART_FOLDER_HELD` where another one runs in the folder
 */
export async function holdDevConnection(
  folder: string,
  place: Omit<DevConnection, 'pid'>,
): Promise<AsyncDisposable> {
  const path = pathIn(folder);
  const held = await holdFolder(path, {
    what: `"art dev" in ${folder}`,
    advice: 'Commands in this folder go to that one; name this one with --arn and --endpoint.',
    facts: { ...place },
  });
  return {
    [Symbol.asyncDispose]: async () => {
      held.release();
      for (const empty of [path, dirname(path)]) await rmdir(empty).catch(() => undefined);
    },
  };
}

/** Looks in a folder and those above it. */
export function findDevConnection(folder: string): FoundConnection {
  const path = pathIn(folder);
  const holder = folderHolder(path);
  if (holder !== undefined) {
    const connection = connectionOf(holder);
    return connection ? { kind: 'running', connection } : { kind: 'stale', path, pid: undefined };
  }
  const last = lastHolder(path);
  if (last !== undefined) return { kind: 'stale', path, pid: last.pid };
  const parent = dirname(folder);
  return parent === folder ? { kind: 'none' } : findDevConnection(parent);
}

function pathIn(folder: string): string {
  return join(folder, connectionFolder, 'dev');
}

function connectionOf({ pid, facts }: FolderHolder): DevConnection | undefined {
  const { endpoint, agentRuntimeArn, bucket, region } = facts;
  // A holder in a folder above must not lead payloads off this machine.
  if (typeof endpoint !== 'string' || !/^http:\/\/127\.0\.0\.1:\d+$/.test(endpoint)) return undefined;
  if (typeof agentRuntimeArn !== 'string' || typeof bucket !== 'string' || typeof region !== 'string')
    return undefined;
  return pid === undefined ? undefined : { pid, endpoint, agentRuntimeArn, bucket, region };
}
