import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const artMain = join(dirname(fileURLToPath(import.meta.resolve('@art/cli'))), 'main.ts');

/** `art collect` as its own process, on a port of its choice. */
export class ArtCollectProcess implements AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.child = child;
  }

  static async start(agent: readonly string[], ...options: string[]): Promise<ArtCollectProcess> {
    const child = spawn(
      process.execPath,
      ['--conditions=@art/source', artMain, 'collect', ...options, '--port=0', '--json', '--', ...agent],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const lines = createInterface({ input: child.stdout });
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`art collect ended with ${code}`)));
      lines.on('line', (line) => {
        const event = JSON.parse(line) as { event: string; url: string; message?: string };
        if (event.event === 'ready') resolve(event.url);
        else if (event.event === 'notice') console.log(event.message);
      });
    });
    return new ArtCollectProcess(url, child);
  }

  /** Without any chance to do something about it. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }
}
