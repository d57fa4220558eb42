import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ArtError, makeDirectory } from '@art/protocol';

/** A file of records: one JSON object a line, each on disk before the next rollout is looked at. */
export class RecordFile<Item extends object> {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Starts a new file. @throws ArtError `ART_INVALID_OPTION` where there is one already */
  static async create<Item extends object>(path: string): Promise<RecordFile<Item>> {
    await makeDirectory(dirname(path));
    try {
      return new RecordFile(await open(path, 'wx'));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      throw new ArtError({
        code: 'ART_INVALID_OPTION',
        message: `Expected --out to be a new file, but ${path} exists. Remove it or choose another name.`,
        cause,
      });
    }
  }

  async write(record: Item): Promise<void> {
    await this.#file.appendFile(`${JSON.stringify(record)}\n`);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
