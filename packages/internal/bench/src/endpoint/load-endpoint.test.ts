import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { noLatency, usualLatency, type EndpointSettings } from './endpoint-settings.ts';
import { LoadEndpoint } from './load-endpoint.ts';
import { ManualClock } from './manual-clock.fixture.ts';

const sessionHeader = 'x-amzn-bedrock-agentcore-runtime-session-id';
const settings: EndpointSettings = {
  seed: 1,
  rollouts: 10,
  durations: { kind: 'fixed', ms: 1_000 },
  latency: noLatency,
};
const opened: LoadEndpoint[] = [];

afterEach(async () => {
  for (const { server } of opened.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function open(changes: Partial<EndpointSettings> = {}) {
  const clock = new ManualClock();
  const load = new LoadEndpoint(clock);
  opened.push(load);
  await new Promise<void>((resolve) => load.server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(load.server.address() as AddressInfo).port}`;
  const post = (path: string, session: string, body: unknown = {}): Promise<Response> =>
    fetch(`${endpoint}/runtimes/arn/${path}`, {
      method: 'POST',
      headers: { [sessionHeader]: session },
      body: JSON.stringify(body),
    });
  await fetch(`${endpoint}/_bench/configure`, {
    method: 'POST',
    body: JSON.stringify({ ...settings, ...changes }),
  });
  return {
    clock,
    load,
    endpoint,
    invoke: (n: number, session = `s${n}`) =>
      post('invocations', session, { n, _rollout: { exp_id: 'e', input_id: `i${n}`, s3_bucket: 'b' } }),
    stop: (session: string) => post('stopruntimesession', session),
    head: (key: string) => fetch(`${endpoint}/b/${key}`, { method: 'HEAD' }),
    get: (key: string) => fetch(`${endpoint}/b/${key}`),
    list: async () => (await fetch(`${endpoint}/b/?list-type=2&prefix=e/`)).text(),
  };
}

describe('a rollout', () => {
  it('appears in the store when its agent is done, and every instant is noted', async () => {
    const { clock, load, invoke, stop, head, get, list } = await open();
    expect(await (await invoke(0)).json()).toEqual({
      status: 'processing',
      s3_bucket: 'b',
      result_key: 'e/i0/s0.json',
    });
    clock.advance(999);
    expect((await head('e/i0/s0.json')).status).toBe(404);
    expect((await get('e/i0/s0.json')).status).toBe(404);
    expect(await list()).not.toContain('s0');
    clock.advance(1);
    expect((await head('e/i0/s0.json')).status).toBe(200);
    expect(await list()).toContain('<Key>e/i0/s0.json</Key>');
    clock.advance(250);
    expect(await (await get('e/i0/s0.json')).json()).toMatchObject({ rewards: 1, status_code: 200 });
    clock.advance(50);
    await get('e/i0/s0.json');
    expect((await stop('s0')).status).toBe(200);
    expect((await stop('s0')).status).toBe(404);
    expect(load.report()).toMatchObject({
      liveSessions: 0,
      peakLiveSessions: 1,
      counts: { invoke: 1, head: 2, list: 2, get: 2, getMissing: 1, stop: 2 },
      rollouts: [
        { index: 0, invokedMs: 0, acceptedMs: 0, storedMs: 1_000, noticedMs: 1_250, stoppedMs: 1_300 },
      ],
    });
  });

  it('is started once, however often it is sent', async () => {
    const { clock, load, invoke } = await open();
    await invoke(0);
    clock.advance(500);
    await invoke(0);
    clock.advance(500);
    expect(load.report()).toMatchObject({
      counts: { invoke: 1, invokeRepeated: 1 },
      rollouts: [{ storedMs: 1_000 }],
    });
  });

  it('stores nothing once its session was stopped', async () => {
    const { clock, load, invoke, stop } = await open();
    await invoke(0);
    await stop('s0');
    clock.advance(5_000);
    expect(load.report().rollouts[0]).not.toHaveProperty('storedMs');
    expect(clock.waiting).toBe(0);
  });

  it('fails or never ends where the seed says so', async () => {
    const { clock, load, invoke, get } = await open({ failShare: 1 });
    await invoke(0);
    clock.advance(1_000);
    expect(await (await get('e/i0/s0.json')).json()).toMatchObject({ status_code: 500 });
    load.configure({ ...settings, neverEndShare: 1 });
    await invoke(1);
    clock.advance(1e9);
    expect((await get('e/i1/s1.json')).status).toBe(404);
  });
});

it('answers each kind of request after its latency', async () => {
  const { clock, invoke, stop, head, get, list } = await open({
    latency: usualLatency,
    durations: { kind: 'fixed', ms: 0 },
  });
  const takes = async (request: () => Promise<unknown>, latencyMs: number): Promise<void> => {
    const onAnswer = vi.fn();
    const answered = request().then(onAnswer);
    await vi.waitFor(() => expect(clock.waiting).toBe(1));
    clock.advance(latencyMs - 1);
    expect(clock.waiting).toBe(1);
    clock.advance(1);
    await answered;
    expect(onAnswer).toHaveBeenCalledOnce();
  };
  await takes(() => invoke(0), 50);
  await takes(() => head('e/i0/s0.json'), 15);
  await takes(() => get('e/i0/s0.json'), 20);
  await takes(list, 40);
  await takes(() => stop('s0'), 20);
});

it('refuses invocations and stops together above the rate of all calls', async () => {
  const { clock, load, invoke, stop } = await open({ callsPerSecond: 2 });
  expect((await invoke(0)).status).toBe(200);
  expect((await stop('s0')).status).toBe(200);
  expect((await invoke(1)).status).toBe(429);
  expect((await stop('s0')).status).toBe(429);
  clock.advance(500);
  expect((await invoke(1)).status).toBe(200);
  expect(load.report().counts).toMatchObject({ invoke: 2, invokeThrottled: 1, stop: 1, stopThrottled: 1 });
});

it('refuses sessions above the rate with 429 and above the number with 402', async () => {
  const { clock, load, invoke, stop } = await open({ newSessionsPerSecond: 2, maxLiveSessions: 3 });
  const statuses = async (...numbers: number[]): Promise<number[]> =>
    Array.from(await Promise.all(numbers.map((n) => invoke(n))), ({ status }) => status).toSorted();
  expect(await statuses(0, 1, 2)).toEqual([200, 200, 429]);
  clock.advance(500);
  expect(await statuses(3, 4)).toEqual([200, 402]);
  await stop('s3');
  clock.advance(1_000);
  expect(await statuses(5)).toEqual([200]);
  expect(load.report().counts).toMatchObject({ invoke: 4, invokeThrottled: 1, invokeOverQuota: 1 });
});

it('fails as often as it should, and a failed read notices nothing', async () => {
  const { clock, load, invoke, get } = await open({ storeErrorShare: 1 });
  await invoke(0);
  clock.advance(1_000);
  const answer = await get('e/i0/s0.json');
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('SlowDown');
  expect(load.report()).toMatchObject({ counts: { storeError: 1, get: 0 } });
  expect(load.report().rollouts[0]).not.toHaveProperty('noticedMs');
});

it('answers nothing from the store while it stalls', async () => {
  const { clock, invoke, head } = await open({ storeStall: { fromMs: 100, untilMs: 400 } });
  await invoke(0);
  clock.advance(150);
  const waitingBefore = clock.waiting;
  const answered = head('e/i0/s0.json');
  await vi.waitFor(() => expect(clock.waiting).toBe(waitingBefore + 1));
  clock.advance(249);
  expect(clock.waiting).toBe(waitingBefore + 1);
  clock.advance(1);
  expect((await answered).status).toBe(404);
});

it('has older results, and forgets what was when it is configured', async () => {
  const { clock, load, invoke, endpoint } = await open({ history: { expId: 'e', keys: 1_500 } });
  await invoke(0);
  clock.advance(1_000);
  const page = await (await fetch(`${endpoint}/b/?list-type=2&prefix=e/`)).text();
  expect(page.match(/<Key>e\//g)).toHaveLength(1_000);
  load.configure(settings);
  expect(load.report()).toMatchObject({ liveSessions: 0, counts: { invoke: 0 }, rollouts: [] });
  expect(clock.waiting).toBe(0);
});
