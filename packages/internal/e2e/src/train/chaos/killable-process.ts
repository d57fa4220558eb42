import { type ChildProcess, spawn } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import { join } from 'node:path';

/** A process of this folder that can be killed at any moment, and started again. */
export class KillableProcess<Task extends object> {
  readonly #main: string;
  readonly #env: NodeJS.ProcessEnv | undefined;
  #task: Task;
  #child: ChildProcess | undefined;
  #exited: Promise<[number | null, NodeJS.Signals | null]> | undefined;
  #errors = '';

  /** @param main file of this folder that reads its task as JSON, its first argument */
  constructor(main: string, task: Task, env?: NodeJS.ProcessEnv) {
    this.#main = join(import.meta.dirname, main);
    this.#task = task;
    this.#env = env;
  }

  /** Starts it, with a part of its task changed. @returns the first that it tells, its address */
  async start(changed: Partial<Task> = {}): Promise<string> {
    this.begin(changed);
    const [address] = (await Promise.race([once(this.#child!, 'message'), this.#exited!])) as [unknown];
    if (typeof address === 'string') return address;
    throw new Error(`${this.#main} did not start: ${this.errors}`);
  }

  /** Starts it, and waits for nothing. */
  begin(changed: Partial<Task> = {}): void {
    this.#task = { ...this.#task, ...changed };
    const command = ['--conditions=@art/source', this.#main, JSON.stringify(this.#task)];
    const child = spawn(process.execPath, command, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: this.#env,
    });
    this.#child = child;
    this.#errors = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
    this.#exited = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The end of the process that runs now: its exit code, or the signal that killed it. */
  get exited(): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
    return this.#exited!;
  }

  /** Text that it wrote to stderr. */
  get errors(): string {
    return this.#errors.trim();
  }

  send(message: object | string): void {
    // A process that has just been killed hears of nothing.
    this.#child?.send(message, () => undefined);
  }

  /** Messages of the process that runs now: emits `message`. */
  get messages(): EventEmitter {
    return this.#child!;
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#exited;
  }
}
