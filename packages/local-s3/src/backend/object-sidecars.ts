import { createHash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { makeDirectory } from '@art/store';

import type { ObjectAddress, ObjectProperties } from './object-backend.ts';
import { ownerOnly } from './upload-files.ts';

interface Sidecar {
  identity: string;
  properties: ObjectProperties;
}

/** Exactly one of the two ends it. */
export interface PreparedSidecar {
  publish(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * What S3 knows about an object and a file cannot hold (content type, metadata, checksum), in a small file of its own. It
 * names the version of the file it describes: where another program has replaced the file since, it does not apply.
 */
export class ObjectSidecars {
  readonly #directory: string;
  readonly #temporaryPath: () => string;

  /** @param temporaryPath a fresh name on the same file system, for a sidecar that does not count yet */
  constructor(directory: string, temporaryPath: () => string) {
    this.#directory = directory;
    this.#temporaryPath = temporaryPath;
  }

  /** The file of an object's sidecar. */
  pathOf(at: ObjectAddress): string {
    return join(this.#directory, at.bucket, `${createHash('sha256').update(at.key).digest('hex')}.json`);
  }

  /** Undefined without one that fits. */
  async read(at: ObjectAddress, identity: string): Promise<ObjectProperties | undefined> {
    try {
      const sidecar = JSON.parse(await readFile(this.pathOf(at), 'utf8')) as Partial<Sidecar>;
      return sidecar.identity === identity ? sidecar.properties : undefined;
    } catch {
      // Missing or damaged is the same: the object is described from its bytes then.
      return undefined;
    }
  }

  /** Writes it down without making it count: what is left to do then needs no space on the disk. */
  async prepare(at: ObjectAddress, sidecar: Sidecar): Promise<PreparedSidecar> {
    const path = this.pathOf(at);
    const temporary = this.#temporaryPath();
    const discard = (): Promise<void> => rm(temporary, { force: true });
    await makeDirectory(dirname(path));
    try {
      await writeFile(temporary, JSON.stringify(sidecar), { mode: ownerOnly });
    } catch (error) {
      await discard();
      throw error;
    }
    return { publish: () => rename(temporary, path), discard };
  }

  async delete(at: ObjectAddress): Promise<void> {
    await rm(this.pathOf(at), { force: true });
  }

  async deleteBucket(bucket: string): Promise<void> {
    await rm(join(this.#directory, bucket), { recursive: true, force: true });
  }
}
