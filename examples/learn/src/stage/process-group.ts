import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { openSync, closeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export interface ProcessGroupOptions {
  /** For messages: `vLLM`. */
  name: string;
  command: readonly [program: string, ...args: string[]];
  env?: Readonly<Record<string, string>> | undefined;
  /** Gets what the program writes to stderr, and to stdout unless that is read. */
  logFile: string;
  /** `pipe` for a program that is talked to. @default 'log' */
  talk?: 'pipe' | 'log' | undefined;
  /** From SIGTERM to SIGKILL. @default 10_000 */
  stopGraceMs?: number | undefined;
  /** Longest time, within `stopGraceMs`, for what outlives the program itself. @default 2_000 */
  tidyMs?: number | undefined;
}

// Reads until this process is gone, however it went, and ends the whole group then: a model server that nobody uses any
// more would keep 4 GB. Its own end of the pipe is closed in the program, which takes the place of the shell.
const guard = '(read -r _ <&3; kill -KILL 0) & exec "$@" 3<&-';
const alive = new Set<ProcessGroup>();

// The last resort where this process ends without having closed anything.
process.on('exit', () => {
  for (const group of alive) group.kill('SIGKILL');
});

/** A program and all that it starts, as one process group: it ends as a whole, and not by the Ctrl-C of the terminal. */
export class ProcessGroup implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly #name: string;
  readonly #logFile: string;
  readonly #stopGraceMs: number;
  readonly #tidyMs: number;
  readonly #ended: Promise<void>;
  #isStopping = false;

  constructor({
    name,
    command,
    env,
    logFile,
    talk = 'log',
    stopGraceMs = 10_000,
    tidyMs = 2_000,
  }: ProcessGroupOptions) {
    this.#name = name;
    this.#logFile = logFile;
    this.#stopGraceMs = stopGraceMs;
    this.#tidyMs = tidyMs;
    const log = openSync(logFile, 'a');
    const talking = talk === 'pipe' ? 'pipe' : undefined;
    this.child = spawn('/bin/sh', ['-c', guard, 'sh', ...command], {
      detached: true,
      env: { ...process.env, ...env },
      stdio: [talking ?? 'ignore', talking ?? log, log, 'pipe'],
    });
    closeSync(log);
    alive.add(this);
    this.#ended = once(this.child, 'exit').then(
      () => this.#sweep(),
      () => this.#sweep(),
    );
  }

  /** Rejects when the program ends, with the end of its log; never resolves. For a race with what it is to do. */
  async died(): Promise<never> {
    await this.#ended;
    const log = await readFile(this.#logFile, 'utf8').catch(() => '');
    const { exitCode, signalCode } = this.child;
    throw new Error(
      `${this.#name} ended (${signalCode ?? `exit code ${exitCode}`}). The end of ${this.#logFile}:\n${lastLines(log)}`,
    );
  }

  kill(signal: NodeJS.Signals): void {
    if (this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  /** SIGTERM to all of the group, SIGKILL after the grace. Resolves when nothing is left of it. Idempotent. */
  async stop(): Promise<void> {
    if (!alive.has(this)) return;
    this.#isStopping = true;
    this.kill('SIGTERM');
    const late = setTimeout(() => this.kill('SIGKILL'), this.#stopGraceMs);
    await this.#ended;
    clearTimeout(late);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Ends the rest of the program's group; the guard ends with it. */
  async #sweep(): Promise<void> {
    // Python removes its shared memory in its own process, once the others are gone.
    const latest = performance.now() + Math.min(this.#tidyMs, this.#stopGraceMs);
    while (this.#isStopping && this.#hasMembers() && performance.now() < latest) await pause(20);
    this.kill('SIGKILL');
    alive.delete(this);
  }

  #hasMembers(): boolean {
    try {
      process.kill(-this.child.pid!, 0);
      return true;
    } catch {
      return false;
    }
  }
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-15).join('\n');
}
