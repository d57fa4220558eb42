import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { TemporaryFiles, UnfinishedFile } from '@art/store';

import type { ObjectAddress, ObjectProperties } from './object-backend.ts';

interface Sidecar {
  identity: string;
  properties: ObjectProperties;
}

/**
 * What S3 knows about an object and a file cannot hold (content type, metadata, checksum), in a small file of its own. It
 * names the version of the file it describes: where another program has replaced the file since, it does not apply.
 */
export class ObjectSidecars {
  readonly #directory: string;
  readonly #temporary: TemporaryFiles;

  constructor(directory: string, temporary: TemporaryFiles) {
    this.#directory = directory;
    this.#temporary = temporary;
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
    await rm(this.pathOf(at), { force: true });
  }

  async deleteBucket(bucket: string): Promise<void> {
    await rm(join(this.#directory, bucket), { recursive: true, force: true });
  }
}
