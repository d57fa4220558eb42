import { unlessMissing } from '@art/ground';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LogTail } from './log-tail.ts';

export interface LogFollowerOptions {
  /** Folder with one file a session, `{sessionId}.log`, and `start-*.log` of processes that no session has taken. */
  directory: string;
  /** Names of files that are none of ours: those of earlier runs. */
  ignored?: Iterable<string> | undefined;
  /** @param sessionId undefined while no session has taken the process */
  onLine: (line: string, sessionId: string | undefined) => void;
  /** Monotonic milliseconds. @default performance.now */
  now?: (() => number) | undefined;
}

/**
 * Reads every log file of a folder as it grows. A process writes its log from its start on, and the file gets its
 * session's name later: files are told apart by inode, so that a rename neither repeats nor loses a line.
 */
export class LogFollower {
  readonly #options: LogFollowerOptions;
  readonly #now: () => number;
  readonly #known: Set<string>;
  readonly #tails = new Map<number, { tail: LogTail; sessionId: string | undefined }>();

  constructor(options: LogFollowerOptions) {
    this.#options = options;
    this.#now = options.now ?? ((): number => performance.now());
    this.#known = new Set(options.ignored);
  }

  /**
   * Looks for new files and new lines once. Not to be called before the last call has ended.
   * @param isLive whether a session still runs; the file of one that does not is closed once it is read to the end
   */
  async poll(isLive: (sessionId: string) => boolean): Promise<void> {
    await this.#discover();
    for (const [inode, { tail, sessionId }] of this.#tails) {
      // Asked before reading: what a session wrote before it ended is then in what is read.
      const over = sessionId === undefined ? await tail.isRemoved() : !isLive(sessionId);
      const { lines, grew } = await tail.read(this.#now());
      for (const line of lines) this.#options.onLine(line, sessionId);
      if (over && !grew) await this.#drop(inode);
    }
  }

  /** Reads what is left of the files, also of those that were removed meanwhile, and closes them. */
  async close(): Promise<void> {
    await this.#discover();
    for (const [inode, { tail, sessionId }] of this.#tails) {
      for (let grew = true; grew;) {
        const piece = await tail.read(this.#now());
        for (const line of piece.lines) this.#options.onLine(line, sessionId);
        grew = piece.grew;
      }
      await this.#drop(inode);
    }
  }

  async #discover(): Promise<void> {
    const names = await namesIn(this.#options.directory);
    for (const name of names.filter((candidate) => !this.#known.has(candidate))) {
      const tail = await LogTail.open(join(this.#options.directory, name));
      if (tail === undefined) continue;
      this.#known.add(name);
      const sessionId = sessionIdOf(name);
      const earlier = this.#tails.get(tail.inode);
      if (earlier === undefined) {
        this.#tails.set(tail.inode, { tail, sessionId });
      } else {
        // For a moment the file has both names, and the folder lists them in no certain order.
        earlier.sessionId ??= sessionId;
        await tail.close();
      }
    }
  }

  async #drop(inode: number): Promise<void> {
    const { tail, sessionId } = this.#tails.get(inode)!;
    this.#tails.delete(inode);
    for (const line of await tail.close()) this.#options.onLine(line, sessionId);
  }
}

/** Names of the log files in a folder; none where there is no such folder. */
export async function namesIn(directory: string): Promise<string[]> {
  return ((await unlessMissing(readdir(directory))) ?? []).filter((name) => name.endsWith('.log'));
}

/** A session id has no dot; `{sessionId}.2.log` is its second process. */
function sessionIdOf(name: string): string | undefined {
  return /^start-\d+-\d+\.log$/.test(name) ? undefined : name.slice(0, name.indexOf('.'));
}
