import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runtimeHeaders } from '@art/protocol';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startAgentServer } from './start-agent-server.ts';
import { invokeJson, newSessionId, tinyAgent } from './tiny-agent.fixture.ts';

const sessionHeader = runtimeHeaders.sessionId.toLowerCase();
let logDir: string;
beforeEach(async () => {
  logDir = await mkdtemp(join(tmpdir(), 'art-agent-server-'));
});
afterEach(() => rm(logDir, { recursive: true, force: true, maxRetries: 10 }));

it('serves every session by one process', async () => {
  await using server = await startAgentServer({ command: tinyAgent(), logDir, stopGraceMs: 30_000 });
  const answers = await Promise.all(
    [newSessionId(), newSessionId()].map((sessionId) =>
      invokeJson(server.runtime, sessionId, { do: 'echo' }),
    ),
  );
  expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
  expect(new Set(answers.map(({ headers }) => (headers as Record<string, string>)[sessionHeader])).size).toBe(
    2,
  );
  expect(await server.runtime.stop(newSessionId())).toEqual({ kind: 'stopped' });
});

it('tells what an agent wrote that does not start, and one that ends', async () => {
  const broken = [process.execPath, '-e', 'console.error("no module there"); process.exit(3)'];
  await expect(startAgentServer({ command: broken, logDir })).rejects.toThrow(/no module there/);
  const server = await startAgentServer({ command: tinyAgent(), logDir });
  await server.runtime
    .invoke({ sessionId: newSessionId(), body: JSON.stringify({ do: 'exit' }) })
    .catch(() => undefined);
  await server.ended;
  await server.close();
});

it('is started again by the next call where that is asked for, and stays closed', async () => {
  const server = await startAgentServer({ command: tinyAgent(), logDir, whenEnded: 'restart' });
  const pid = async (): Promise<unknown> =>
    (await invokeJson(server.runtime, newSessionId(), { do: 'echo' }))['pid'];
  const first = await pid();
  await expect(
    server.runtime.invoke({ sessionId: newSessionId(), body: JSON.stringify({ do: 'exit' }) }),
  ).rejects.toThrow(/InvokeAgentRuntime|socket|ECONN/);
  await vi.waitFor(async () => expect(await pid()).not.toBe(first), { timeout: 30_000 });
  await server.close();
  await expect(pid()).rejects.toThrow(/InvokeAgentRuntime|socket|ECONN/);
  await expect(
    startAgentServer({ command: tinyAgent(), logDir, whenEnded: 'never' as never }),
  ).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
});
