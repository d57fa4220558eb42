import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Undefined without one that fits. */
  async read(at: ObjectAddress, identity: string): Promise<ObjectProperties | undefined> {
    try {
      const sidecar = JSON.parse(await readFile(this.#pathOf(at), 'utf8')) as Partial<Sidecar>;
      return sidecar.identity === identity ? sidecar.properties : undefined;
    } catch {
      // Missing or damaged is the same: the object is described from its bytes then.
      return undefined;
    }
  }

  async write(at: ObjectAddress, sidecar: Sidecar): Promise<void> {
    const path = this.#pathOf(at);
    const temporary = `${path}.${randomUUID()}`;
    await mkdir(dirname(path), { recursive: true });
    try {
      await writeFile(temporary, JSON.stringify(sidecar));
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async delete(at: ObjectAddress): Promise<void> {
    await rm(this.#pathOf(at), { force: true });
  }

  async deleteBucket(bucket: string): Promise<void> {
    await rm(join(this.#directory, bucket), { recursive: true, force: true });
  }

  #pathOf(at: ObjectAddress): string {
    return join(this.#directory, at.bucket, `${createHash('sha256').update(at.key).digest('hex')}.json`);
  }
}
