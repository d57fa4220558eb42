import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestContext } from '../request/request-context.ts';
import { invocation, resultKey, rip, target, testApp, type TestApp } from '../test-app.fixture.ts';

let made: TestApp;
// Nobody listens there, and nobody gets it who asks for a free port.
const closed = 'http://127.0.0.1:2/sessions/s/v1';
let stateDir: string;

async function serve(status: number): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((_request, response) => void response.writeHead(status).end());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sessions/s/v1`, close };
}

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'art-unreachable-'));
});
afterEach(async () => {
  await made.app.close();
  await rm(stateDir, { recursive: true, force: true });
});

type Process = (request: unknown, context: RequestContext) => unknown;

/** The stored document of a rollout with this endpoint, and the RIP state of an invocation with it. */
async function both(baseUrl: string, process: Process): Promise<Record<string, unknown>[]> {
  made = testApp({ invocationHandler: { process }, stateDir });
  const config = { ...target, base_url: baseUrl };
  await made.app.inject(invocation({ prompt: 'x', _rollout: config }));
  const document = await vi.waitFor(async () => {
    const stored = await made.stored(resultKey);
    expect(stored).toBeDefined();
    return stored!;
  });
  const answer = await made.app.inject(
    invocation(rip('start', 'a', { prompt: 'x', _config: { base_url: baseUrl } })),
  );
  return [document, answer.json()];
}

const told = () =>
  `The model endpoint ${closed} could not be reached from where the agent runs: connect ECONNREFUSED`;
const failed = { status_code: 503, stop_reason: 'infrastructure_error' };

it('makes a failure of the infrastructure of whatever a handler throws', async () => {
  const [document, state] = await both(closed, () => {
    throw new TypeError('no answer to read');
  });
  const unreachable = expect.stringContaining(told()) as string;
  expect(document).toMatchObject({ ...failed, unreachable_endpoint: unreachable, endpoint: closed });
  expect(document!['message']).toMatch(/Then the handler failed: no answer to read$/);
  expect(state).toMatchObject({ ...failed, unreachable_endpoint: unreachable, error: document!['message'] });
});

it('makes one of a result whose handler called the model in vain', async () => {
  const [document, state] = await both(closed, async (_request, { rollout }) => {
    await fetch(`${rollout!.baseUrl}/chat/completions`).catch(() => undefined);
    return { reward: 0 };
  });
  expect(document).toMatchObject({ ...failed, unreachable_endpoint: expect.any(String) as string });
  expect(document).not.toHaveProperty('reward');
  expect(state).toMatchObject({ ...failed, unreachable_endpoint: expect.any(String) as string });
});

it('tells it beside a result of which no call was seen in this process', async () => {
  const [document, state] = await both(closed, async function* () {
    yield 'a part';
    return { reward: 1 };
  });
  const unreachable = expect.stringContaining(told()) as string;
  expect(document).toMatchObject({ status_code: 200, reward: 1, unreachable_endpoint: unreachable });
  expect(state).toMatchObject({
    status: 'completed',
    result: { reward: 1 },
    unreachable_endpoint: unreachable,
  });
  expect(state!['result'] as object).not.toHaveProperty('unreachable_endpoint');
});

it('tells it of an invocation that is at work, whose calls may wait for minutes', async () => {
  const finished = Promise.withResolvers<object>();
  made = testApp({ invocationHandler: { process: () => finished.promise }, stateDir });
  const config = { _config: { base_url: closed } };
  const ask = async (operation: 'start' | 'get'): Promise<object> =>
    (
      await made.app.inject(
        invocation(operation === 'start' ? rip('start', 'a', config, true) : rip('get', 'a')),
      )
    ).json();
  expect(await ask('start')).toEqual({ version: 1, invocation_id: 'a', status: 'in_progress' });
  const unreachable = expect.stringContaining(told()) as string;
  await expect
    .poll(() => ask('get'))
    .toEqual({ version: 1, invocation_id: 'a', status: 'in_progress', unreachable_endpoint: unreachable });
  finished.resolve({});
  await expect.poll(() => ask('get')).toMatchObject({ status: 'completed' });
});

it.each([401, 404])('takes an endpoint that answers %i for one that is reached', async (status) => {
  const { url, close } = await serve(status);
  try {
    const [document, state] = await both(url, () => ({ reward: 1 }));
    expect(document).not.toHaveProperty('unreachable_endpoint');
    expect(state).not.toHaveProperty('unreachable_endpoint');
  } finally {
    await close();
  }
});

it('looks at nothing for requests of production, and where failures are not to be recognised', async () => {
  made = testApp({ invocationHandler: { process: () => Promise.reject(new Error('x')) }, stateDir });
  const plain = await made.app.inject(invocation({ prompt: 'x', base_url: closed }));
  expect(plain.statusCode).toBe(500);
  expect(plain.body).not.toContain('could not be reached');
  await made.app.close();
  made = testApp({ invocationHandler: { process: () => ({}) }, stateDir, recogniseInfrastructure: false });
  const answer = await made.app.inject(
    invocation(rip('start', 'b', { prompt: 'x', _config: { base_url: closed } })),
  );
  expect(answer.json()).not.toHaveProperty('unreachable_endpoint');
});
