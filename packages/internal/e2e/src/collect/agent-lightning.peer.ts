import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takePort } from '@art/local';
import { sayMissing } from '@art/tooling/say-missing';
import { vi } from 'vitest';
import { describeController, lightningKey } from './lightning-cases.fixture.ts';

/** A checkout of Agent Lightning 1.0, and a Python that has what its server imports. */
const { ART_AGENT_LIGHTNING: checkout, ART_AGENT_LIGHTNING_PYTHON: python = 'python3' } = process.env;

async function startRealServer(): Promise<AsyncDisposable & { url: string }> {
  const cwd = await mkdtemp(join(tmpdir(), 'art-agl-'));
  const port = await takePort();
  const settings = [
    'host=127.0.0.1',
    `port=${port}`,
    `key=${lightningKey}`,
    'default_proxy.model_name=policy',
  ];
  const server = spawn(
    python,
    ['-m', 'agentlightning.server', ...settings, 'hydra.run.dir=.', 'hydra.output_subdir=null'],
    { cwd, env: { ...process.env, PYTHONPATH: checkout }, stdio: 'ignore' },
  );
  const ended = once(server, 'close');
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => await fetch(`${url}/healthz`), { timeout: 60_000, interval: 100 });
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      server.kill('SIGKILL');
      await ended;
      await rm(cwd, { recursive: true, force: true });
    },
  };
}

if (checkout === undefined)
  sayMissing('ART_AGENT_LIGHTNING, a checkout: the controller is not played against its real server');
describeController('the real server', 3, checkout === undefined ? undefined : startRealServer);
