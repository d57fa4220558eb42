import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ArtError, describeValue, freshId, isJsonObject, parseJson, unlessMissing } from '@art/ground';
import { replaceFile } from '@art/store';

/** The file operations of records; a test can let them fail. */
export interface RecordFiles {
  /** Undefined where there is no such file. */
  read: (path: string) => Promise<Buffer | undefined>;
  /** Writes a whole file or nothing; once it resolves, the bytes are on the disk. Makes the folders that are missing. */
  write: (path: string, text: string) => Promise<void>;
}

export const recordFiles: RecordFiles = {
  read: (path) => unlessMissing(readFile(path)),
  write: replaceFile,
};

/** An invocation: its id is unique in its session only. */
export interface InvocationName {
  /** As the request's header has it; '' where there is none. */
  sessionId: string;
  invocationId: string;
}

const startedFile = 'started.json';
const resultFile = 'result.json';

/**
 * The records of invocations on disk, in the layout of the Python toolkit 0.2.0, so that each can read the other's
 * files: `<stateDir>/<sha256 of the session id>/<invocation id>/started.json`, then `result.json`. Each holds the reply
 * that describes it.
 */
export class InvocationRecords {
  readonly #stateDir: string | undefined;
  readonly #files: RecordFiles;
  #found: string | undefined;

  constructor(stateDir: string | undefined, files: RecordFiles = recordFiles) {
    this.#stateDir = stateDir;
    this.#files = files;
  }

  /**
   * Makes the folder and tries to write in it.
   * @throws ArtError `ART_STATE_DIR`
   */
  async probe(): Promise<void> {
    const probe = join(this.#root, `.probe-${freshId()}`);
    try {
      await this.#files.write(probe, '');
      await rm(probe);
    } catch (cause) {
      throw stateDirError(
        `The folder for the records of invocations, ${this.#root}, cannot be written: ${(cause as Error).message}. Pass a folder that can as stateDir, or set TMPDIR.`,
        cause,
      );
    }
  }

  /** The folder of an invocation, which is also what it is known by in memory. */
  folderOf({ sessionId, invocationId }: InvocationName): string {
    // A session id may be any text, and must never be a part of a path.
    return join(this.#root, createHash('sha256').update(sessionId).digest('hex'), invocationId);
  }

  /**
   * The record of a start; undefined where there was none.
   * @throws ArtError `ART_STATE_DIR`
   */
  async started(name: InvocationName): Promise<Record<string, unknown> | undefined> {
    const path = join(this.folderOf(name), startedFile);
    const bytes = await this.#read(path);
    if (bytes === undefined) return undefined;
    const record: unknown = parseJson(bytes.toString('utf8'));
    // A file system that does not tell upper from lower case gives two ids one folder.
    if (isJsonObject(record) && record['invocation_id'] === name.invocationId) return record;
    throw stateDirError(
      `Expected ${path} to be the record of invocation ${name.invocationId}, got ${describeValue(isJsonObject(record) ? record['invocation_id'] : record)}. Choose ids that differ in more than upper and lower case.`,
    );
  }

  /** The record of an end, as it goes over the wire; undefined where there is none. @throws ArtError `ART_STATE_DIR` */
  result(name: InvocationName): Promise<Buffer | undefined> {
    return this.#read(join(this.folderOf(name), resultFile));
  }

  /** @throws ArtError `ART_STATE_DIR` */
  start(name: InvocationName, record: string): Promise<void> {
    return this.#write(join(this.folderOf(name), startedFile), record);
  }

  /** @throws ArtError `ART_STATE_DIR` */
  finish(name: InvocationName, record: string): Promise<void> {
    return this.#write(join(this.folderOf(name), resultFile), record);
  }

  // Not at construction: a snapshot of the process may be taken before its temporary folder is decided.
  get #root(): string {
    this.#found ??= resolve(this.#stateDir ?? join(tmpdir(), '.agentcore_runtime'));
    return this.#found;
  }

  async #read(path: string): Promise<Buffer | undefined> {
    try {
      return await this.#files.read(path);
    } catch (cause) {
      throw stateDirError(`${path} could not be read: ${(cause as Error).message}`, cause);
    }
  }

  async #write(path: string, text: string): Promise<void> {
    try {
      await this.#files.write(path, text);
    } catch (cause) {
      throw stateDirError(`${path} could not be written: ${(cause as Error).message}`, cause);
    }
  }
}

function stateDirError(message: string, cause?: unknown): ArtError {
  return new ArtError({ code: 'ART_STATE_DIR', message, cause });
}
