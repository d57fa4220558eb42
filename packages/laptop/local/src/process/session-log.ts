import { closeSync, constants, linkSync, openSync, readSync, fstatSync, unlinkSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const tailBytes = 16_384;
const shownLines = 20;

/**
 * The file that holds what one session process wrote. Processes write to it directly; it gets its session's name when
 * a session takes the process, which a warm process does not know at its start.
 */
export class SessionLog {
  #path: string;

  constructor(directory: string, startNumber: number) {
    this.#path = join(directory, `start-${process.pid}-${startNumber}.log`);
  }

  get path(): string {
    return this.#path;
  }

  /** A descriptor that appends, for a child's stdout and stderr; the caller closes it after the spawn. */
  openForChild(): number {
    return openSync(this.#path, constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY, 0o600);
  }

  /** Renames the file to `{sessionId}.log`, or `{sessionId}.2.log` for the second process of the same session. */
  assign(sessionId: string): void {
    for (let life = 1; ; life += 1) {
      const path = join(dirname(this.#path), life === 1 ? `${sessionId}.log` : `${sessionId}.${life}.log`);
      try {
        // A link fails where a file exists; a rename would overwrite the log of an earlier process.
        linkSync(this.#path, path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
        return;
      }
      unlinkSync(this.#path);
      this.#path = path;
      return;
    }
  }

  /** Adds a line of the runtime's own between those of the agent; losing it must not fail a request. */
  async note(line: string): Promise<void> {
    await appendFile(this.#path, `[local runtime] ${line}\n`).catch(() => {});
  }

  /** The last lines, empty when there are none or the file is gone. */
  tail(lines: number): string[] {
    try {
      const descriptor = openSync(this.#path, 'r');
      try {
        const { size } = fstatSync(descriptor);
        const buffer = Buffer.alloc(Math.min(size, tailBytes));
        readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
        return buffer
          .toString('utf8')
          .trimEnd()
          .split('\n')
          .slice(-lines)
          .filter((line) => line !== '');
      } finally {
        closeSync(descriptor);
      }
    } catch {
      return [];
    }
  }

  /** Removes the file, for a process that no session ever took. */
  discard(): void {
    try {
      unlinkSync(this.#path);
    } catch {
      // Already gone.
    }
  }
}

/** The last lines of a process, for a message that says why it ended. */
export function describeOutput(log: SessionLog): string {
  const lines = log.tail(shownLines);
  return lines.length === 0 ? 'It wrote nothing.' : `Its last output:\n${lines.join('\n')}`;
}
