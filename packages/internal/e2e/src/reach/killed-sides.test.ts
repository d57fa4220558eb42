import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileJournal, stopRun } from '@art/client';
import { startGateway } from '@art/gateway';
import type { LocalRuntime } from '@art/local';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type MockEngine, startMockEngine } from '../gateway/engine/mock-engine.ts';
import { reachingClient, startReachingAgents } from './reach-bed.fixture.ts';

let local: LocalRuntime;

beforeAll(async () => {
  local = await startReachingAgents();
});
afterAll(() => local.close());

/** A model at which somebody dies when it has sampled its first answer, of which no byte has left. */
async function startDeadlyModel(kill: () => void): Promise<{ engine: MockEngine; url: string }> {
  let hasKilled = false;
  const engine = await startMockEngine({
    flavour: 'vllm',
    answer: (_request, call) => ({ content: `Answer ${call}.` }),
    onSampled: () => {
      if (!hasKilled) kill();
      hasKilled = true;
    },
  });
  onTestFinished(() => engine[Symbol.asyncDispose]());
  const workers = [{ url: engine.url, flavour: 'vllm' as const }];
  const gateway = await startGateway({ port: 0, logLevel: 'silent', workers });
  onTestFinished(() => gateway.close());
  return { engine, url: gateway.url };
}

const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const payload = { calls: [[{ path: 'chat/completions', body }]], tries: 1 };

/** A client in its own process, with a journal, that is killed in the middle of its rollout's first call. */
async function killedClient() {
  let child: ChildProcess | undefined;
  const model = await startDeadlyModel(() => child!.kill('SIGKILL'));
  const directory = await mkdtemp(join(tmpdir(), 'art-reach-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  const words = [local.endpoint, local.arnOf('reaching'), model.url, directory, JSON.stringify([payload])];
  const script = join(import.meta.dirname, 'reaching-client-process.ts');
  child = spawn(process.execPath, ['--conditions=@art/source', script, ...words], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  const client = reachingClient(local, { url: model.url });
  onTestFinished(() => client.close());
  return { ...model, client, run: { journal: new FileJournal({ directory }), runId: 'r' } };
}

async function expectNoSession(): Promise<void> {
  await expect.poll(() => local.metrics()).toMatchObject({ liveSessions: 0, sockets: { open: 0 } });
}

it('an agent that is killed in the middle of a call is lost, its call is not sampled again, and no session is left', async () => {
  const { engine, url } = await startDeadlyModel(() => {
    const { pid } = local.sessions().at(-1)!;
    process.kill(pid!, 'SIGKILL');
  });
  const client = reachingClient(local, { url });
  onTestFinished(() => client.close());
  const rollout = await client.invoke(payload);
  await expect(rollout.result()).rejects.toMatchObject({ code: 'ART_ROLLOUT_LOST' });
  expect(engine.calls).toHaveLength(1);
  await client.close();
  await expectNoSession();
});

it('a client that is killed in the middle of a call leaves its agent without a model: the next one says so, and ends the session', async () => {
  const { engine, client, run } = await killedClient();
  const retry = { infra_error: 0 };
  const [item] = await Array.fromAsync(client.resume(run, [payload], { retry }));
  // The agent got nothing but 503, half a minute later: nothing is passed on that the client has not seen.
  expect(item).toMatchObject({ attempt: 0, outcome: { kind: 'infra_error' } });
  expect(engine.calls).toHaveLength(1);
  await client.close();
  await expectNoSession();
});

it('a client that is killed leaves sessions that can be stopped at once, and a resume begins them anew', async () => {
  const { engine, client, run } = await killedClient();
  const runtime = local.runtime('reaching');
  expect(await stopRun(run.journal, run.runId, { runtime })).toMatchObject({ stopped: 1, failed: 0 });
  await expectNoSession();
  expect(engine.calls).toHaveLength(1);
  const [item] = await Array.fromAsync(client.resume(run, [payload]));
  expect(item).toMatchObject({ attempt: 1, outcome: { kind: 'ok' } });
  expect(engine.calls).toHaveLength(2);
  await client.close();
  await expectNoSession();
});
