import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type GatewayOptions, startGateway } from '@art/gateway';
import type { LocalRuntime } from '@art/local';
import { checkRolloutRows } from '@art/trajectories';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type MockEngine, startMockEngine } from '../gateway/engine/mock-engine.ts';
import { reachingClient, startReachingAgents } from './reach-bed.fixture.ts';

let local: LocalRuntime;

beforeAll(async () => {
  local = await startReachingAgents();
});
afterAll(() => local.close());

interface Answer {
  status: number;
  sha: string;
  bytes: number;
  text: string;
  tries: number;
}

const chat = (text: string, more: object = {}): object => ({
  path: 'chat/completions',
  body: { model: 'm', messages: [{ role: 'user', content: text }], ...more },
});

async function startModel(options: GatewayOptions = {}): Promise<{ engine: MockEngine; url: string }> {
  const engine = await startMockEngine({
    flavour: 'vllm',
    answer: (_request, callNumber) => ({ content: `This is answer ${callNumber}, ü.` }),
  });
  onTestFinished(() => engine[Symbol.asyncDispose]());
  const workers = [{ url: engine.url, flavour: 'vllm' as const }];
  const gateway = await startGateway({ port: 0, logLevel: 'silent', workers, ...options });
  onTestFinished(() => gateway.close());
  return { engine, url: gateway.url };
}

function answersOf(result: object): Answer[] {
  return (result as { answers: Answer[] }).answers;
}

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

it('an agent gets to a gateway that has no address, its tokens are captured, and it has no key', async () => {
  const { engine, url } = await startModel({ auth: { adminToken: 'admin', sessionKeys: true } });
  const client = reachingClient(local, { url, adminToken: 'admin' });
  onTestFinished(() => client.close());
  const rollout = await client.invoke({
    calls: [[chat('one')], [chat('two', { stream: true })], [{ path: 'models', method: 'GET' }]],
    config: true,
  });
  const result = await rollout.result();
  expect(result).toMatchObject({ reward: 1 });
  const answers = answersOf(result);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(JSON.stringify(result)).not.toMatch(/sk-art-|"reach"/);
  const { rows } = await rollout.trajectory();
  checkRolloutRows(rows);
  expect(rows.reduce((sum, { turn_spans: turns }) => sum + turns.length, 0)).toBe(2);
  expect(engine.calls.filter(({ path }) => path.includes('chat'))).toHaveLength(2);
});

it('what it sends and gets is the same byte for byte, small and large, many at once', async () => {
  const seen: { url: string; sha: string }[] = [];
  const upstream = createServer((request, response) => {
    void buffer(request).then((body) => {
      seen.push({ url: request.url!, sha: sha(body) });
      if (request.url!.endsWith('/health')) return response.end('{}');
      if (!request.url!.includes('/v1/')) {
        const created = {
          session_id: 's',
          base_url: 'http://127.0.0.1:1/v1',
          trajectory_id: 's',
          state: 'open',
        };
        return response.end(JSON.stringify(created));
      }
      // In pieces, so that some end within a character.
      for (let at = 0; at < body.length; at += 70_001) response.write(body.subarray(at, at + 70_001));
      return response.end();
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    upstream.closeAllConnections();
    upstream.close();
  });
  const { port } = upstream.address() as AddressInfo;
  const client = reachingClient(local, { url: `http://127.0.0.1:${port}` });
  onTestFinished(() => client.close());
  const sizes = [0, 1, 24_000, 150_000, 1_000_000];
  const rollout = await client.invoke({
    calls: [sizes.map((bodyBytes) => ({ path: 'embeddings?a=%C3%BC', bodyBytes }))],
  });
  const answers = answersOf(await rollout.result());
  const sent = sizes.map((size) => sha(Buffer.alloc(size, 'x')));
  expect(answers.map((answer) => answer.sha)).toEqual(sent);
  expect(
    seen
      .filter(({ url }) => url.endsWith('/v1/embeddings?a=%C3%BC'))
      .map((call) => call.sha)
      .toSorted(),
  ).toEqual(sent.toSorted());
});

it('a socket is replaced before the service would close it, and no call notices', async () => {
  const { engine, url } = await startModel();
  const before = local.metrics().sockets.opened;
  const client = reachingClient(local, { url, reachLimits: { renewAfterMs: 100 } });
  onTestFinished(() => client.close());
  const calls = Array.from({ length: 60 }, (_, index) => [
    chat(`call ${index}`, { stream: index % 2 === 0 }),
  ]);
  const rollout = await client.invoke({ calls });
  const answers = answersOf(await rollout.result());
  expect(answers.map(({ status, tries }) => [status, tries])).toEqual(calls.map(() => [200, 1]));
  expect(engine.calls).toHaveLength(60);
  expect(local.metrics().sockets.opened - before).toBeGreaterThan(1);
});

it('sockets that are cut cost no call, and nothing is sampled that the agent did not ask for', async () => {
  await using cutting = await startReachingAgents({ webSocket: { maxDurationMs: 500 } });
  const { engine, url } = await startModel();
  const client = reachingClient(cutting, { url });
  onTestFinished(() => client.close());
  const calls = Array.from({ length: 40 }, (_, index) => [chat(`call ${index}`)]);
  const rollout = await client.invoke({ calls });
  const answers = answersOf(await rollout.result());
  expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 200));
  expect(cutting.metrics().sockets).toMatchObject({ dropped: 0 });
  // What was cut after the gateway had had it, the agent asked for again; the tunnel itself asks for nothing twice.
  const asked = answers.reduce((sum, { tries }) => sum + tries, 0);
  expect(engine.calls.length).toBeLessThanOrEqual(asked);
  // Before the runtime: its stops would wait half a minute for one that has gone.
  await client.close();
});

it('a session is stopped at the end, and its socket is closed before, also where the rollout is called off', async () => {
  const { url } = await startModel();
  const client = reachingClient(local, { url });
  const rollout = await client.invoke({ calls: [[chat('one')]] });
  await rollout.result();
  const before = local.metrics().sockets.opened;
  const other = await client.invoke({ calls: Array.from({ length: 1_000 }, () => [chat('again')]) });
  await expect.poll(() => local.metrics().sockets.opened).toBeGreaterThan(before);
  await other.cancel();
  await client.close();
  await expect
    .poll(() => local.metrics())
    .toMatchObject({ liveSessions: 0, sockets: { open: 0, dropped: 0 } });
  expect(local.metrics().endedSessions.stopped).toBe(local.metrics().startedSessions);
});
