import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ProcessGroup } from './process-group.ts';

export interface ArtGatewayOptions {
  /** The inference server. */
  worker: string;
  logDir: string;
  signal: AbortSignal;
}

// From the sources: nothing of the workspace has to be built. Elsewhere this is the `art` command of `@art/cli`.
const artMain = join(dirname(fileURLToPath(import.meta.resolve('@art/cli'))), 'main.ts');

/** `art gateway` on a port of its choice. */
export class ArtGateway implements AsyncDisposable {
  readonly url: string;
  readonly group: ProcessGroup;

  private constructor(url: string, group: ProcessGroup) {
    this.url = url;
    this.group = group;
  }

  static async start({ worker, logDir, signal }: ArtGatewayOptions): Promise<ArtGateway> {
    const group = new ProcessGroup({
      name: 'art gateway',
      command: [
        process.execPath,
        ...process.execArgv,
        artMain,
        'gateway',
        '--port',
        '0',
        '--worker',
        worker,
        '--json',
      ],
      logFile: join(logDir, 'gateway.log'),
      talk: 'pipe',
    });
    try {
      return new ArtGateway(await Promise.race([readyUrl(group, signal), group.died()]), group);
    } catch (error) {
      await group.stop();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.group.stop();
  }
}

function readyUrl({ child }: ProcessGroup, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  // Read to the end: a full pipe would stop the gateway.
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const event = JSON.parse(line) as { event?: string; url?: string };
    if (event.event === 'ready') resolve(event.url!);
  });
  return promise;
}
