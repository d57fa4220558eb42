import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';

export const artMain = join(dirname(fileURLToPath(import.meta.resolve('@art/cli'))), 'main.ts');
export const awsOfNobody = {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_REGION: 'us-west-2',
};

/** A line that a process writes. */
export interface Line {
  event: string;
  id: string;
  [field: string]: unknown;
}

/** A process that writes JSON lines. */
export class Talking {
  readonly child: ChildProcess;
  readonly lines: Line[] = [];
  readonly ended: Promise<unknown>;

  constructor(program: string, args: readonly string[], env: Record<string, string> = {}) {
    this.child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.ended = once(this.child, 'close');
    createInterface({ input: this.child.stdout! }).on('line', (line) =>
      this.lines.push(JSON.parse(line) as Line),
    );
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  of(event: string): Line[] {
    return this.lines.filter((line) => line.event === event);
  }

  until(event: string, count = 1): Promise<Line> {
    return vi.waitFor(
      () => {
        const found = this.of(event)[count - 1];
        if (found === undefined) throw new Error(`No ${event} among ${JSON.stringify(this.lines)}`);
        return found;
      },
      { interval: 30 },
    );
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }
}
