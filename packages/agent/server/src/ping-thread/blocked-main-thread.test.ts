import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { runtimeHeaders } from '@art/protocol';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

const target = { exp_id: 'exp1', input_id: 'in1', s3_bucket: 'results' };
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-ping-'));
});

afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));

/** Starts the agent that blocks. @returns where it listens */
async function start(env: Record<string, string> = {}): Promise<{ url: string }> {
  const child = spawn(
    process.execPath,
    ['--conditions=@art/source', join(import.meta.dirname, 'blocking-agent.fixture.ts')],
    {
      env: {
        ...process.env,
        ART_TEST_RELEASE: join(root, 'release'),
        ART_RESULT_STORE: pathToFileURL(root).href,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url: /Server listening at (http:[^\s"]+)/.exec(line)![1]! };
}

function invoke(url: string, payload: unknown): Promise<Response> {
  return fetch(`${url}/invocations`, {
    method: 'POST',
    headers: { [runtimeHeaders.sessionId]: 's'.repeat(40) },
    body: JSON.stringify(payload),
  });
}

async function status(url: string): Promise<string> {
  const answer = await fetch(`${url}/ping`);
  return ((await answer.json()) as { status: string }).status;
}

describe('while a handler blocks the event loop', () => {
  it.each([
    ['by background work', {}],
    ['by background work, where the own handler cannot be asked', { ART_TEST_PING: 'custom' }],
  ])('pings are answered %s, and other requests wait', async (_name, env) => {
    const { url } = await start(env);
    const before = (await (await fetch(`${url}/ping`)).json()) as Record<string, unknown>;
    expect(before).toEqual({ status: 'Healthy', time_of_last_update: expect.any(Number) as number });

    expect((await invoke(url, { _rollout: target })).status).toBe(200);
    await vi.waitFor(async () => expect(await status(url)).toBe('HealthyBusy'));
    const waiting = vi.fn<(answer: Response) => void>();
    const extra = fetch(`${url}/extra`).then(waiting);
    const stamps = new Set<unknown>();
    for (let index = 0; index < 20; index += 1) {
      const answer = (await (await fetch(`${url}/ping`)).json()) as Record<string, unknown>;
      expect(answer['status']).toBe('HealthyBusy');
      stamps.add(answer['time_of_last_update']);
    }
    expect(stamps.size).toBe(1);
    expect(waiting).not.toHaveBeenCalled();

    await writeFile(join(root, 'release'), '');
    await extra;
    expect(waiting).toHaveBeenCalledOnce();
    await vi.waitFor(async () => expect(await status(url)).toBe('Healthy'));
  });

  it('a production request that blocks counts as work, too', async () => {
    const { url } = await start();
    const answer = invoke(url, { prompt: 'hi' });
    await vi.waitFor(async () => expect(await status(url)).toBe('HealthyBusy'));
    await writeFile(join(root, 'release'), '');
    expect(await (await answer).json()).toEqual({ rewards: 1 });
    expect(await status(url)).toBe('Healthy');
  });
});
