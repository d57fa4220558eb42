import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** One life of a client. */
export class ClientProcess {
  readonly life: number;
  /** How it ended. */
  readonly exited: Promise<'killed' | 'exited'>;
  readonly #child: ChildProcess;

  constructor(life: number, taskFile: string, options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.life = life;
    this.#child = spawn(
      process.execPath,
      ['--conditions=@art/source', join(import.meta.dirname, 'client-main.ts'), taskFile, String(life)],
      { stdio: ['ignore', 'inherit', 'inherit'], ...options },
    );
    this.exited = once(this.#child, 'exit').then(([, signal]) => (signal === null ? 'exited' : 'killed'));
  }

  /** SIGKILL. @returns whether it was still running */
  async kill(): Promise<boolean> {
    this.#child.kill('SIGKILL');
    return (await this.exited) === 'killed';
  }
}
