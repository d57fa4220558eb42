import { type FileHandle, open } from 'node:fs/promises';
import { isJsonObject } from '@art/protocol';
import { readJsonLines } from './json-lines.ts';
import { plainJson } from './plain-json.ts';
import { runPath } from './run-folder.ts';
import type { SampleRecord } from './sample-record.ts';

/** How long a power failure may take back. A killed process loses nothing. */
const syncMs = 1_000;

/** What was read of `samples.jsonl`. */
export interface ReadSample {
  record: SampleRecord;
  /** Where a later look begins. */
  endByte: number;
}

/**
 * The samples of a run in the order in which they were recorded, also while it goes on. Lines that are no samples are passed over.
 * @param fromByte `endByte` of the last sample that is known @default 0
 */
export async function* readSamples(
  folder: string,
  fromByte = 0,
): AsyncGenerator<ReadSample, void, undefined> {
  for await (const { value, endByte } of readJsonLines(runPath(folder, 'samples'), fromByte))
    if (isSample(value)) yield { record: value, endByte };
}

function isSample(value: unknown): value is SampleRecord {
  return (
    isJsonObject(value) &&
    value['schema'] === 'art.sample.v1' &&
    typeof value['taskId'] === 'string' &&
    Number.isSafeInteger(value['sample'])
  );
}

/** Appends samples, one line each. One process at a time may have it open. */
export class SamplesFile implements AsyncDisposable {
  readonly #file: FileHandle;
  #bytes: number;
  /** Lines that wait for the write under way, and go together in the next one. */
  #waiting: string[] = [];
  #next: Promise<void> | undefined;
  #tail: Promise<void> = Promise.resolve();
  #syncedAtMs = performance.now();
  #isUnsynced = false;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** Opens the file of a run, and cuts off what a killed process left of its last line. */
  static async open(folder: string): Promise<SamplesFile> {
    const path = runPath(folder, 'samples');
    const file = await open(path, 'a+');
    try {
      const { size } = await file.stat();
      const wholeBytes = await endOfLastLine(file, size);
      if (wholeBytes < size) await file.truncate(wholeBytes);
      return new SamplesFile(file, wholeBytes);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Resolves when the line has been handed to the system, where no end of this process can take it back. */
  append(record: SampleRecord): Promise<void> {
    this.#waiting.push(`${plainJson(record)}\n`);
    this.#next ??= this.#afterTail();
    return this.#next;
  }

  #afterTail(): Promise<void> {
    const written = this.#tail.then(() => this.#write());
    // A failed write must not fail the next one: its callers were told.
    this.#tail = written.catch(() => undefined);
    return written;
  }

  async #write(): Promise<void> {
    const lines = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#next = undefined;
    try {
      await this.#file.appendFile(lines);
    } catch (error) {
      // A full disk may have taken a part of it, and the next line would be glued to that.
      await this.#file.truncate(this.#bytes).catch(() => undefined);
      throw error;
    }
    this.#bytes += lines.length;
    this.#isUnsynced = true;
    const nowMs = performance.now();
    if (nowMs - this.#syncedAtMs < syncMs) return;
    this.#syncedAtMs = nowMs;
    await this.#file.datasync();
    this.#isUnsynced = false;
  }

  async close(): Promise<void> {
    await this.#tail;
    if (this.#isUnsynced) await this.#file.datasync();
    await this.#file.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

const portionBytes = 1 << 16;

async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.alloc(portionBytes);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - portionBytes);
    const { bytesRead } = await file.read(buffer, 0, end - start, start);
    const at = buffer.subarray(0, bytesRead).lastIndexOf(10);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}
