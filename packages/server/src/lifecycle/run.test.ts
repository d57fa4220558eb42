import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { FileResultStore } from '@art/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resultKey, sessionHeader, target } from '../test-app.fixture.ts';

let root: string;
let agent: ChildProcess | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-server-'));
});

afterEach(async () => {
  agent?.kill('SIGKILL');
  agent = undefined;
  await rm(root, { recursive: true, force: true, maxRetries: 10 });
});

/** Starts the agent process; resolves with its first line of log. */
async function startAgent(env: Record<string, string>): Promise<Record<string, unknown>> {
  agent = spawn(
    process.execPath,
    ['--conditions=@art/source', join(import.meta.dirname, 'agent-process.fixture.ts')],
    {
      env: { ...process.env, ART_RESULT_STORE: pathToFileURL(root).href, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const lines = createInterface({ input: agent.stdout! });
  const [line] = (await once(lines, 'line')) as [string];
  return JSON.parse(line) as Record<string, unknown>;
}

describe('run', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'listens at PORT, and on %s stores what became of the rollout before the process ends',
    async (signal) => {
      const line = await startAgent({ PORT: '0' });
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(line['message']))?.[0];
      const answer = await fetch(`${url}/invocations`, {
        method: 'POST',
        headers: sessionHeader,
        body: JSON.stringify({ _rollout: target }),
      });
      expect(await answer.json()).toMatchObject({ status: 'processing' });
      agent!.kill(signal);
      expect(await once(agent!, 'exit')).toEqual([0, null]);
      const text = await new FileResultStore({ root }).get({ bucket: 'results', key: resultKey });
      expect(JSON.parse(text ?? 'null')).toMatchObject({ status_code: 503, stop_reason: 'terminated' });
    },
  );

  it('ends the process with the reason when the port is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    agent = spawn(
      process.execPath,
      ['--conditions=@art/source', join(import.meta.dirname, 'agent-process.fixture.ts')],
      { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const errors: string[] = [];
    agent.stderr!.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
    const [code] = (await once(agent, 'close')) as [number];
    expect(code).toBe(1);
    expect(errors.join('')).toContain(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
    holder.close();
  });
});
