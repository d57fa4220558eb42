import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { EndpointReport } from './endpoint-report.ts';
import type { EndpointSettings } from './endpoint-settings.ts';

/** A load model in its own process. */
export interface RunningEndpoint extends AsyncDisposable {
  endpoint: string;
  /** Sets up what it plays and forgets what was. */
  configure(settings: EndpointSettings): Promise<void>;
  report(): Promise<EndpointReport>;
}

export async function startEndpoint(): Promise<RunningEndpoint> {
  const child = spawn(
    process.execPath,
    ['--conditions=@art/source', join(import.meta.dirname, 'endpoint-process.ts')],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const closed = once(child, 'close');
  const firstLine = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    closed.then(() => Promise.reject(new Error('The load model ended before it listened.'))),
  ]);
  const { endpoint } = JSON.parse(String(firstLine[0])) as { endpoint: string };
  return {
    endpoint,
    configure: async (settings) => {
      await call(`${endpoint}/_bench/configure`, { method: 'POST', body: JSON.stringify(settings) });
    },
    report: async () => (await call(`${endpoint}/_bench/report`)) as EndpointReport,
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

async function call(url: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
