import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { ArtError, makeDirectory, plainJson } from '@art/ground';
import { replaceFile } from '@art/store';
import { readRecordFile } from '../records/read-json-file.ts';

/** A record that is found again by its key, 64 hexadecimal digits. */
export interface KeyedRecord {
  schema: string;
  key: string;
}

/** Records in a folder, a file each. Any number of processes may share the folder. */
export class KeptRecords<Kept extends KeyedRecord> {
  readonly #folder: string;
  readonly #schema: Kept['schema'];

  private constructor(folder: string, schema: Kept['schema']) {
    this.#folder = folder;
    this.#schema = schema;
  }

  /** @throws ArtError `ART_INVALID_OPTION` where the folder cannot be written */
  static async open<Kept extends KeyedRecord>(
    folder: string,
    schema: Kept['schema'],
  ): Promise<KeptRecords<Kept>> {
    try {
      await makeDirectory(folder, 0o700);
      await access(folder, constants.W_OK);
    } catch (cause) {
      throw new ArtError({
        code: 'ART_INVALID_OPTION',
        message: `Expected a folder to keep answers and judgements in that can be written, got ${folder}: ${(cause as Error).message}`,
        cause,
      });
    }
    return new KeptRecords(folder, schema);
  }

  /** Undefined for what is not there, or is torn. */
  async read(key: string): Promise<Kept | undefined> {
    const kept = await readRecordFile<Kept>(this.#pathOf(key), this.#schema);
    return kept?.key === key ? kept : undefined;
  }

  async write(record: Omit<Kept, 'schema'> & { key: string }): Promise<void> {
    const path = this.#pathOf(record.key);
    await makeDirectory(join(path, '..'), 0o700);
    await replaceFile(path, `${plainJson({ schema: this.#schema, ...record })}\n`, { isDurable: false });
  }

  #pathOf(key: string): string {
    return join(this.#folder, key.slice(0, 2), `${key}.json`);
  }
}
