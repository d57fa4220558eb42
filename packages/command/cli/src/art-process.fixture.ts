import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { capturedContext } from './captured-context.fixture.ts';
import type { DevEvent } from './dev/dev-event.ts';
import { runCli } from './run-cli.ts';

const mainFile = join(import.meta.dirname, 'main.ts');

export interface FinishedProcess {
  code: number | null;
  output: string;
  errors: string;
}

/** The command while it runs. */
abstract class RunningArt {
  abstract readonly finished: Promise<FinishedProcess>;
  abstract get output(): string;
  abstract get errors(): string;
  /** Sends it a signal. */
  abstract kill(signal: NodeJS.Signals): void;

  /** Events that `--json` has written so far. */
  get events(): DevEvent[] {
    return this.output
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
        if (found === undefined) throw new Error(`No ${name} among ${this.output}\n${this.errors}`);
        return found;
      },
      { interval: 50 },
    );
  }
}

/** The command as its own process, run from the sources: for what a process does when it ends, or is killed. */
export class ArtProcess extends RunningArt {
  readonly child: ChildProcess;
  override readonly finished: Promise<FinishedProcess>;
  #output = '';
  #errors = '';

  constructor(cwd: string, ...argv: string[]) {
    super();
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

  override get output(): string {
    return this.#output;
  }

  override get errors(): string {
    return this.#errors;
  }

  override kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

/** The same in this process, which costs a second of processor time less. */
export class ArtInside extends RunningArt {
  override readonly finished: Promise<FinishedProcess>;
  readonly #context: ReturnType<typeof capturedContext>;

  constructor(cwd: string, ...argv: string[]) {
    super();
    const { FORCE_COLOR: _, ...env } = process.env;
    this.#context = capturedContext({ cwd, env });
    this.finished = runCli(argv, this.#context).then((code) => ({
      code,
      output: this.output,
      errors: this.errors,
    }));
    onTestFinished(async () => {
      this.kill('SIGTERM');
      await this.finished;
    });
  }

  override get output(): string {
    return this.#context.output();
  }

  override get errors(): string {
    return this.#context.errors();
  }

  override kill(signal: NodeJS.Signals): void {
    this.#context.signals.emit(signal, signal);
  }
}

/** The command in this process, to its end. */
export function runArt(cwd: string, ...argv: string[]): Promise<FinishedProcess> {
  return new ArtInside(cwd, ...argv).finished;
}
