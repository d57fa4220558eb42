import { unlessMissing } from '@art/ground';
import { open, type FileHandle } from 'node:fs/promises';
import { LineSplitter } from './line-splitter.ts';

const pieceBytes = 64 * 1_024;
/** Most of one file at a time: a session that writes without pause must not keep the others waiting. */
const mostPieces = 16;
/** How long an unfinished line, such as a prompt, is held back. */
const unfinishedMs = 1_000;

/** One log file, read as it grows. The file may be renamed or removed meanwhile: it is held open. */
export class LogTail {
  readonly #file: FileHandle;
  readonly #splitter = new LineSplitter();
  readonly #buffer = Buffer.allocUnsafe(pieceBytes);
  readonly inode: number;
  #offset = 0;
  #lastBytesMs = 0;

  private constructor(file: FileHandle, inode: number) {
    this.#file = file;
    this.inode = inode;
  }

  /** Undefined where the file has gone. */
  static async open(path: string): Promise<LogTail | undefined> {
    const file = await unlessMissing(open(path, 'r'));
    return file && new LogTail(file, (await file.stat()).ino);
  }

  /** Reads the lines since the last call, and says if the file has grown. */
  async read(nowMs: number): Promise<{ lines: string[]; grew: boolean }> {
    const lines: string[] = [];
    let grew = false;
    for (let pieces = 0; pieces < mostPieces; pieces += 1) {
      const { bytesRead } = await this.#file.read(this.#buffer, 0, pieceBytes, this.#offset);
      if (bytesRead === 0) break;
      grew = true;
      this.#offset += bytesRead;
      lines.push(...this.#splitter.push(this.#buffer.subarray(0, bytesRead)));
    }
    if (grew) this.#lastBytesMs = nowMs;
    else if (nowMs - this.#lastBytesMs >= unfinishedMs) lines.push(...this.#splitter.flush());
    return { lines, grew };
  }

  /** True if the file has been removed. */
  async isRemoved(): Promise<boolean> {
    return (await this.#file.stat()).nlink === 0;
  }

  /** Closes the file and gives the unfinished line, where there is one. */
  async close(): Promise<string[]> {
    await this.#file.close();
    return this.#splitter.flush();
  }
}
