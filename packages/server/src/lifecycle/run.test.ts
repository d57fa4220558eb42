import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { runtimeHeaders } from '@art/protocol';
import { FileResultStore } from '@art/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAgentProcess } from '../agent-process.fixture.ts';
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

  it.each([
    ['at once', 0, ['SIGTERM', 'SIGTERM']],
    ['20 ms apart', 20, ['SIGTERM', 'SIGTERM', 'SIGINT']],
    ['700 ms apart', 700, ['SIGINT', 'SIGTERM', 'SIGTERM']],
  ] as const)(
    'loses no result to signals that come again %s',
    async (_name, apartMs, signals) => {
      const line = await startAgent({ PORT: '0', ART_TEST_GRACE_MS: '1500' });
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(line['message']))?.[0];
      const sessions = ['one', 'two', 'three'];
      for (const session of sessions) {
        const answer = await fetch(`${url}/invocations`, {
          method: 'POST',
          headers: { [runtimeHeaders.sessionId]: session },
          body: JSON.stringify({ _rollout: target }),
        });
        expect(answer.status).toBe(200);
      }
      const exit = once(agent!, 'exit');
      for (const signal of signals) {
        agent!.kill(signal);
        // Real time, for real signals: what matters is when the next one comes.
        if (apartMs > 0) await pause(apartMs);
      }
      expect(await exit).toEqual([0, null]);
      const store = new FileResultStore({ root });
      for (const session of sessions) {
        const text = await store.get({ bucket: 'results', key: `exp1/in1/${session}.json` });
        expect(JSON.parse(text ?? 'null')).toMatchObject({ status_code: 503, stop_reason: 'terminated' });
      }
    },
    20_000,
  );

  it('says once where it listens, also where that is every address of the machine', async () => {
    const started = startAgentProcess(join(import.meta.dirname, 'agent-process.fixture.ts'), {
      PORT: '0',
      ART_TEST_HOST: '0.0.0.0',
    });
    const { lines, url, process: child, exit } = await started;
    expect((await fetch(new URL('ping', url))).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    const said = lines
      .map(({ message }) => String(message))
      .filter((message) => /listening|^$/i.test(message));
    expect(said).toEqual([
      expect.stringMatching(
        /^Server listening at http:\/\/[\d.]+:\d+ \(and all other addresses of this machine\)$/,
      ),
    ]);
  });

  it('ends the process with one line that says what to do when the port is taken', async () => {
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
    expect(errors.join('')).toBe(
      `ART_PORT_TAKEN: Port ${port} of 127.0.0.1 is taken by another program. Stop that, or choose another port by run({ port }) or the environment variable PORT.\n`,
    );
    holder.close();
  });
});
