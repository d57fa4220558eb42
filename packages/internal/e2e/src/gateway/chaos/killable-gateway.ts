import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const script = join(import.meta.dirname, '../gateway-host.ts');

/** A gateway in a process that can be killed at any moment and started again over the same directory of captures. */
export class KillableGateway implements AsyncDisposable {
  readonly #configuration: Readonly<Record<string, unknown>>;
  #child: ChildProcess | undefined;
  #url = '';

  /** @param configuration by the names of rllm-model-gateway's files */
  constructor(configuration: Readonly<Record<string, unknown>>) {
    this.#configuration = configuration;
  }

  get url(): string {
    return this.#url;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, ['--conditions=@art/source', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    // Killed while a line is on its way to it.
    child.stdin.on('error', () => undefined);
    child.stdin.write(`${JSON.stringify({ start: this.#configuration })}\n`);
    const lines = createInterface({ input: child.stdout });
    const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [unknown];
    if (typeof line !== 'string')
      throw new Error(`the gateway ended with ${String(line)} before it listened`);
    this.#url = (JSON.parse(line) as { url: string }).url;
  }

  /** `kill -9`: nothing of it runs any more when this resolves. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
