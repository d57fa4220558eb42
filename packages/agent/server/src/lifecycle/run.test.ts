import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { runtimeHeaders } from '@art/protocol';
import { FileResultStore } from '@art/store';
import { shortlist } from '@art/tooling/thorough';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startAgentProcess } from '../agent-process.fixture.ts';
import { target } from '../test-app.fixture.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-server-'));
});

afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));

const fixture = join(import.meta.dirname, 'agent-process.fixture.ts');

describe('run', () => {
  it.each(
    shortlist(
      [
        ['SIGTERM', 'SIGINT'],
        ['SIGINT', 'SIGTERM'],
      ],
      1,
    ),
  )(
    'on %s stores what became of every rollout before the process ends, whichever signals follow',
    async (first, other) => {
      const {
        url,
        process: child,
        exit,
      } = await startAgentProcess(fixture, {
        PORT: '0',
        ART_RESULT_STORE: pathToFileURL(root).href,
        ART_TEST_GRACE_MS: '600',
      });
      const sessions = { one: {}, two: {}, returning: { return_after_ms: 100 } };
      for (const [session, payload] of Object.entries(sessions)) {
        const answer = await fetch(`${url}/invocations`, {
          method: 'POST',
          headers: { [runtimeHeaders.sessionId]: session },
          body: JSON.stringify({ ...payload, _rollout: target }),
        });
        expect(await answer.json()).toMatchObject({ status: 'processing' });
      }
      // Real time, for real signals: at once, soon after the first, and after a result of the grace was stored.
      for (const [signal, laterMs] of [
        [first, 0],
        [first, 20],
        [other, 250],
        [first, 0],
      ] as const) {
        child.kill(signal);
        if (laterMs > 0) await pause(laterMs);
      }
      expect(await exit).toBe(0);
      const store = new FileResultStore({ root });
      const stored = async (session: string): Promise<unknown> =>
        JSON.parse((await store.get({ bucket: 'results', key: `exp1/in1/${session}.json` })) ?? 'null');
      const terminated = { status_code: 503, stop_reason: 'terminated' };
      expect(await stored('one')).toMatchObject(terminated);
      expect(await stored('two')).toMatchObject(terminated);
      expect(await stored('returning')).toMatchObject({ status_code: 200, rewards: 1 });
    },
  );

  it('says once where it listens, also where that is every address of the machine', async () => {
    const started = startAgentProcess(fixture, { PORT: '0', ART_TEST_HOST: '0.0.0.0' });
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
    const agent = spawn(process.execPath, ['--conditions=@art/source', fixture], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void agent.kill('SIGKILL'));
    const errors = text(agent.stderr);
    expect(await once(agent, 'close')).toEqual([1, null]);
    expect(await errors).toBe(
      `ART_PORT_TAKEN: Port ${port} of 127.0.0.1 is taken by another program. Stop that, or choose another port by run({ port }) or the environment variable PORT.\n`,
    );
    holder.close();
  });
});
