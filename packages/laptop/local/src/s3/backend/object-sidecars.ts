import { hash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { TemporaryFiles, UnfinishedFile } from '@art/store';

import type { ObjectAddress, ObjectProperties } from './object-backend.ts';

interface Sidecar {
  identity: string;
  properties: ObjectProperties;
}

const mostRemembered = 10_000;

/**
 * What S3 knows about an object and a file cannot hold (content type, metadata, checksum), in a small file of its own. It
 * names the version of the file it describes: where another program has replaced the file since, it does not apply.
 */
export class ObjectSidecars {
  readonly #directory: string;
  readonly #temporary: TemporaryFiles;
  readonly #remembered = new Map<string, Sidecar>();

  constructor(directory: string, temporary: TemporaryFiles) {
    this.#directory = directory;
    this.#temporary = temporary;
  }

  /** The file of an object's sidecar. */
  pathOf(at: ObjectAddress): string {
    return join(this.#directory, at.bucket, `${hash('sha256', at.key)}.json`);
  }

  /** What is known of a version of an object's file, from memory or from its sidecar; undefined where nothing is. */
  async read(at: ObjectAddress, identity: string): Promise<ObjectProperties | undefined> {
    const remembered = this.#remembered.get(nameOf(at));
    if (remembered?.identity === identity) return remembered.properties;
    // Another process may have replaced the file, and its sidecar, since.
    const sidecar = await readSidecar(this.pathOf(at));
    if (sidecar?.identity !== identity || sidecar.properties === undefined) return undefined;
    this.remember(at, identity, sidecar.properties);
    return sidecar.properties;
  }

  /** Keeps it in memory. */
  remember(at: ObjectAddress, identity: string, properties: ObjectProperties): void {
    const name = nameOf(at);
    this.#remembered.delete(name);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size >= mostRemembered && oldest !== undefined) this.#remembered.delete(oldest);
    this.#remembered.set(name, { identity, properties });
  }

  /** Writes one that counts when it is placed at {@link pathOf}. */
  async write(identity: string, properties: ObjectProperties): Promise<UnfinishedFile> {
    const file = await this.#temporary.create();
    try {
      await file.handle.writeFile(JSON.stringify({ identity, properties } satisfies Sidecar));
      return file;
    } catch (error) {
      await file.discard();
      throw error;
    }
  }

  async delete(at: ObjectAddress): Promise<void> {
    this.#remembered.delete(nameOf(at));
    await rm(this.pathOf(at), { force: true });
  }

  async deleteBucket(bucket: string): Promise<void> {
    await rm(join(this.#directory, bucket), { recursive: true, force: true });
  }
}

function nameOf({ bucket, key }: ObjectAddress): string {
  // No bucket has a slash in its name.
  return `${bucket}/${key}`;
}

/** Missing or damaged is the same: the object is described from its bytes then. */
async function readSidecar(path: string): Promise<Partial<Sidecar> | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<Sidecar>;
  } catch {
    return undefined;
  }
}
