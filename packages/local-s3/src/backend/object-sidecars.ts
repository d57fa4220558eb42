import { createHash } from 'node:crypto';
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
    return join(this.#directory, at.bucket, `${createHash('sha256').update(at.key).digest('hex')}.json`);
  }

  /** What is known of a version of an object's file, from memory or from its sidecar; undefined where nothing is. */
  async read(at: ObjectAddress, identity: string): Promise<ObjectProperties | undefined> {
    const path = this.pathOf(at);
    const remembered = this.#remembered.get(path);
    // Another process may have replaced the file, and its sidecar, since.
    const known = remembered?.identity === identity ? remembered : await readSidecar(path);
    if (known?.identity !== identity || known.properties === undefined) return undefined;
    this.remember(at, identity, known.properties);
    return known.properties;
  }

  /** Keeps it in memory. */
  remember(at: ObjectAddress, identity: string, properties: ObjectProperties): void {
    const path = this.pathOf(at);
    this.#remembered.delete(path);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size >= mostRemembered && oldest !== undefined) this.#remembered.delete(oldest);
    this.#remembered.set(path, { identity, properties });
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
    const path = this.pathOf(at);
    this.#remembered.delete(path);
    await rm(path, { force: true });
  }

  async deleteBucket(bucket: string): Promise<void> {
    await rm(join(this.#directory, bucket), { recursive: true, force: true });
  }
}

/** Missing or damaged is the same: the object is described from its bytes then. */
async function readSidecar(path: string): Promise<Partial<Sidecar> | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<Sidecar>;
  } catch {
    return undefined;
  }
}
