import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RipServer, ripChecks } from '@art/protocol/rip-conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentProcess, spawnAgentProcess } from '../agent-process.fixture.ts';

let agent: AgentProcess;
let server: Required<RipServer>;

async function start(stateDir: string): Promise<void> {
  agent = await spawnAgentProcess(join(import.meta.dirname, 'conformance-agent.fixture.ts'), {
    ART_TEST_STATE_DIR: stateDir,
  });
}

beforeAll(async () => {
  const stateDir = await mkdtemp(join(tmpdir(), 'art-rip-conformance-'));
  await start(stateDir);
  server = {
    get url() {
      return agent.url;
    },
    stateDir,
    restart: async () => {
      agent.process.kill('SIGKILL');
      await once(agent.process, 'close');
      await start(stateDir);
    },
  };
});

afterAll(async () => {
  agent.process.kill('SIGKILL');
  await rm(server.stateDir, { recursive: true, force: true, maxRetries: 10 });
});

describe('the Runtime Invocation Protocol, version 1', () => {
  for (const check of ripChecks) {
    it(`${check.id}: ${check.name}`, { timeout: check.timeoutMs }, async () => {
      await expect(check.run(server)).resolves.toBeUndefined();
    });
  }
});

it('has checks with their own ids', () => {
  expect(new Set(ripChecks.map(({ id }) => id)).size).toBe(ripChecks.length);
  expect(ripChecks.length).toBeGreaterThanOrEqual(40);
});
