import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { pause } from '@art/ground';
import { isGroupAlive, signalGroup } from './process-group.ts';
import { heldStartScript, type ProcessGuard } from './process-guard.ts';

/** How a process ended: one of the two is set. */
export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** "exited with code 1", "was killed by SIGKILL". */
export function describeExit(exit: ProcessExit): string {
  return exit.signal === null ? `exited with code ${exit.code ?? 'unknown'}` : `was killed by ${exit.signal}`;
}

export interface GuardedProcessOptions {
  argv: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /**
   * Where stdout and stderr go: straight to the file of a descriptor, which costs nothing here and survives this process, or to pipes
   * that are read here.
   */
  output: number | 'pipe';
  guard: ProcessGuard;
}

// Zombies that nobody collects (a container without a real init) keep a group alive for ever; stop looking then.
const uncollectedAfterMs = 2_000;

/** A command in its own process group that the guard knows of before the command runs. */
export class GuardedProcess {
  /** Also the number of the process group. */
  readonly pid: number;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  /** The command itself has ended. */
  readonly exited: Promise<ProcessExit>;
  /** The command and everything it started in its group have ended. */
  readonly gone: Promise<ProcessExit>;
  #exit: ProcessExit | undefined;
  #stopping: { deadlineMs: number; killTimer: NodeJS.Timeout } | undefined;

  private constructor(pid: number, child: ChildProcess, guard: ProcessGuard) {
    this.pid = pid;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    const exited = Promise.withResolvers<ProcessExit>();
    child.once('exit', (code, signal) => {
      this.#exit = { code, signal };
      exited.resolve(this.#exit);
    });
    this.exited = exited.promise;
    this.gone = this.#clearGroup().then((exit) => {
      guard.release(pid);
      return exit;
    });
  }

  /**
   * Starts the command once the guard has acknowledged its group.
   * @throws what `spawn` reports (ENOENT for a missing `cwd`, EAGAIN), or the guard's error.
   */
  static async start(options: GuardedProcessOptions): Promise<GuardedProcess> {
    const { output, guard } = options;
    const child = spawn('/bin/sh', ['-c', heldStartScript, 'sh', ...options.argv], {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ['ignore', output, output, 'pipe'],
    });
    const { pid } = child;
    if (pid === undefined) {
      const { promise, reject } = Promise.withResolvers<never>();
      child.once('error', reject);
      return promise;
    }
    child.on('error', () => {});
    const gate = child.stdio[3] as Writable;
    gate.on('error', () => {});
    const started = new GuardedProcess(pid, child, guard);
    try {
      await guard.protect(pid);
    } catch (error) {
      gate.destroy();
      void started.stop(0);
      throw error;
    }
    gate.end('go\n');
    return started;
  }

  /** How it ended, as soon as it has. */
  get exit(): ProcessExit | undefined {
    return this.#exit;
  }

  /** SIGTERM to the whole group at once, SIGKILL to what is left of it after `graceMs`. Idempotent. */
  stop(graceMs: number): Promise<ProcessExit> {
    // Once the command has ended its group is being cleared already, and its number may soon be another's.
    if (this.#stopping === undefined && this.#exit === undefined) {
      signalGroup(this.pid, 'SIGTERM');
      this.#stopping = {
        deadlineMs: performance.now() + graceMs,
        killTimer: setTimeout(() => signalGroup(this.pid, 'SIGKILL'), graceMs),
      };
    }
    return this.gone;
  }

  /** SIGKILL to the whole group, without a grace. `false` when the command has ended already. */
  kill(): boolean {
    if (this.#exit !== undefined) return false;
    signalGroup(this.pid, 'SIGKILL');
    return true;
  }

  // A shell dies of SIGTERM before the agent it started has flushed its results, so the group is waited for.
  // Without a stop the command ended by itself: what it left behind goes at once, as with a container's first process.
  async #clearGroup(): Promise<ProcessExit> {
    const exit = await this.exited;
    if (this.#stopping === undefined) signalGroup(this.pid, 'SIGKILL');
    const giveUpMs = Math.max(this.#stopping?.deadlineMs ?? 0, performance.now()) + uncollectedAfterMs;
    for (
      let waitMs = 2;
      isGroupAlive(this.pid) && performance.now() < giveUpMs;
      waitMs = Math.min(waitMs * 2, 50)
    ) {
      await pause(waitMs);
    }
    clearTimeout(this.#stopping?.killTimer);
    return exit;
  }
}
