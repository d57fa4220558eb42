import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LocalRuntimeOptions } from './local-runtime-options.ts';
import { startLocalRuntime } from './start-local-runtime.ts';
import { newSessionId } from './tiny-agent.fixture.ts';

interface Told {
  start: { numbers: number[]; ids: string[]; wallMs: number; date: string; monotonicMs: number };
  session: Told['start'] & {
    kernel: string;
    isDate: boolean;
    host: string;
    pid: number;
    isAlive: boolean;
    options?: string;
    keys: string[];
    expiresMs: number;
    calls: string[];
  };
}

const file = join(import.meta.dirname, 'test-agents/cloned-agent.mjs');

/** The answers of sessions, each of an agent with its own variable. */
async function sessions(
  envs: readonly Record<string, string>[],
  options: Partial<LocalRuntimeOptions> = { platformVersion: 'V2' },
): Promise<Told[]> {
  await using local = await startLocalRuntime({
    ...options,
    agents: Object.fromEntries(
      envs.map((env, index) => [
        `agent${index}`,
        {
          command: [process.execPath, file],
          env: { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', ...env },
          warmupPath: '/warmup',
        },
      ]),
    ),
  });
  return await Promise.all(
    envs.map(async (_env, index) => {
      const answer = await local.runtime(`agent${index}`).invoke({ sessionId: newSessionId(), body: '{}' });
      return JSON.parse(answer.body) as Told;
    }),
  );
}

const drawn = ({ numbers, ids }: Told['start']): unknown => ({ numbers, ids });

describe('platformVersion V2', () => {
  it('draws the same in every session, before the restore and after it, but from the kernel', async () => {
    const [first, second, odd] = await sessions([{}, {}, { ODD_DRAWS: '3' }]);
    expect(drawn(second!.start)).toEqual(drawn(first!.start));
    expect(drawn(second!.session)).toEqual(drawn(first!.session));
    // However many draws were made in between.
    expect(drawn(odd!.session)).toEqual(drawn(first!.session));
    expect(drawn(first!.session)).not.toEqual(drawn(first!.start));
    expect(new Set([first, second, odd].map((told) => told!.session.kernel)).size).toBe(3);
  });

  it('plays nothing with V1, which is the default', async () => {
    const [first, second] = await sessions([{}, {}], {});
    expect(drawn(second!.start)).not.toEqual(drawn(first!.start));
    expect(first!.session.pid).not.toBe(1);
    expect(first!.session.wallMs - first!.start.wallMs).toBeLessThan(200_000);
  });

  it('moves the wall clock and not the monotonic one', async () => {
    const [{ start, session }] = (await sessions([{}])) as [Told];
    const wallMs = session.wallMs - start.wallMs;
    const monotonicMs = session.monotonicMs - start.monotonicMs;
    expect(Math.abs(wallMs - monotonicMs - 240_000)).toBeLessThan(1_000);
    expect(Math.abs(Date.parse(session.date) - Date.now())).toBeLessThan(200_000);
    expect(Math.abs(Date.parse(start.date) - start.wallMs)).toBeLessThan(1_000);
    expect(session.isDate).toBe(true);
  });

  it('is called localhost and 1, and can still signal itself', async () => {
    const [{ session }] = (await sessions([{}])) as [Told];
    expect(session).toMatchObject({ host: 'localhost', pid: 1, isAlive: true });
    // What it starts is no part of the snapshot.
    expect(session.options ?? '').not.toContain('snapshot-setup');
  });

  it('lets credentials expire and has new ones, but never hides real ones', async () => {
    const [made, real] = await sessions([{}, { AWS_ACCESS_KEY_ID: 'AKIAREAL' }]);
    expect(made!.session.keys).toEqual(['local', 'local-renewed']);
    expect(real!.session.keys).toEqual(['AKIAREAL', 'AKIAREAL']);
    for (const { session } of [made!, real!]) expect(session.expiresMs).toBeGreaterThan(session.wallMs);
  });

  it('leaves kept connections dead: the first call fails, the next one connects anew', async () => {
    const paths: (string | undefined)[] = [];
    const peer = createServer((request, response) => {
      paths.push(request.url);
      response.end('here');
    });
    await new Promise<void>((resolve) => {
      peer.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => {
      peer.closeAllConnections();
      peer.close();
    });
    const PEER = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
    const [{ session }] = (await sessions([{ PEER }])) as [Told];
    expect(session.calls).toEqual(['ECONNRESET', 'answered']);
    expect(paths).toEqual(['/start', '/second']);
  });

  it('gives a process no more than 120 s to its first healthy ping', async () => {
    await expect(
      startLocalRuntime({
        agents: { agent: { command: 'true' } },
        platformVersion: 'V2',
        initTimeoutMs: 120_001,
      }),
    ).rejects.toThrow(/initTimeoutMs.*up to 120000 with platform version V2/);
  });
});
