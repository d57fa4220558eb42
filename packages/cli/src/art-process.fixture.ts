import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { DevEvent } from './dev/dev-event.ts';

const mainFile = join(import.meta.dirname, 'main.ts');

export interface FinishedProcess {
  code: number | null;
  output: string;
  errors: string;
}

/** The command as a process of its own, run from the sources. */
export class ArtProcess {
  readonly child: ChildProcess;
  readonly finished: Promise<FinishedProcess>;
  #output = '';
  #errors = '';

  constructor(cwd: string, ...argv: string[]) {
    const { FORCE_COLOR: _, ...env } = process.env;
    this.child = spawn(process.execPath, ['--conditions=@art/source', mainFile, ...argv], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout!.on('data', (piece) => (this.#output += piece));
    this.child.stderr!.on('data', (piece) => (this.#errors += piece));
    this.finished = once(this.child, 'close').then(([code]) => ({
      code: code as number | null,
      output: this.#output,
      errors: this.#errors,
    }));
    // A test that has failed must not leave a server behind; its guard process ends the sessions.
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  get output(): string {
    return this.#output;
  }

  get errors(): string {
    return this.#errors;
  }

  /** What `--json` has told so far. */
  get events(): DevEvent[] {
    return this.#output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as DevEvent);
  }

  /** Waits for an event of a kind that fits. */
  async event<Name extends DevEvent['event']>(
    name: Name,
    fits: (event: Extract<DevEvent, { event: Name }>) => boolean = () => true,
  ): Promise<Extract<DevEvent, { event: Name }>> {
    return vi.waitFor(
      () => {
        const found = this.events.find(
          (event): event is Extract<DevEvent, { event: Name }> =>
            event.event === name && fits(event as Extract<DevEvent, { event: Name }>),
        );
        if (found === undefined) throw new Error(`No ${name} among ${this.#output}\n${this.#errors}`);
        return found;
      },
      { timeout: 15_000, interval: 50 },
    );
  }
}

/** Whether a process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
