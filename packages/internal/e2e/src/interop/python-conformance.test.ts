import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takePort } from '@art/local';
import { type RipServer, ripChecks } from '@art/protocol/rip-conformance';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isPythonMissing, pythonExecutable } from './provided-python.fixture.ts';
import { pythonEnvironment } from './run-python.ts';

/** Where the list asks for more than Python's app does, and what that does instead. */
const deviations: Record<string, string> = {
  'session.same-id-at-once':
    'it keeps what is running by the id alone, so a second session gets what the first one began',
};

let agent: ChildProcess;
let server: Required<RipServer>;

/**
 * Another process may get the port before Python, which ends then.
 * @returns the URL at which it listens
 */
async function start(stateDir: string, attempts = 3): Promise<string> {
  const port = await takePort();
  const url = `http://127.0.0.1:${port}`;
  agent = spawn(pythonExecutable, [join(import.meta.dirname, 'python-conformance-agent.py')], {
    env: pythonEnvironment({ PORT: String(port), STATE_DIR: stateDir }),
    stdio: 'ignore',
  });
  const hasEnded = await vi.waitFor(
    async () => {
      if (agent.exitCode === null) expect((await fetch(`${url}/ping`)).ok).toBe(true);
      return agent.exitCode !== null;
    },
    { interval: 100 },
  );
  if (!hasEnded) return url;
  if (attempts === 1) throw new Error(`Python ended with ${agent.exitCode}.`);
  return start(stateDir, attempts - 1);
}

async function kill(): Promise<void> {
  agent.kill('SIGKILL');
  await once(agent, 'close');
}

describe.skipIf(isPythonMissing)("the conformance list of RIP on Python's own app", () => {
  beforeAll(async () => {
    const stateDir = await mkdtemp(join(tmpdir(), 'art-python-records-'));
    server = {
      url: await start(stateDir),
      stateDir,
      restart: async () => {
        await kill();
        server.url = await start(stateDir);
      },
    };
  });

  afterAll(async () => {
    await kill();
    await rm(server.stateDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it.each(
    ripChecks.filter(({ id }) => deviations[id] === undefined).map((check) => [check.id, check] as const),
  )('%s', async (_id, check) => {
    await expect(check.run(server)).resolves.toBeUndefined();
  });

  it.each(Object.entries(deviations))('%s, another way: %s', async (id) => {
    const check = ripChecks.find((candidate) => candidate.id === id);
    await expect(check?.run(server)).rejects.toMatchObject({ code: 'ERR_ASSERTION' });
  });
});
