import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LocalRuntime, startLocalRuntime } from '@art/local';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { stubAwsEnvironment } from '../aws-environment.fixture.ts';
import { checkClient } from '../check-client.ts';
import type { Finding } from '../finding.ts';

beforeEach(stubAwsEnvironment);

async function startAgent(name: string, webSocket: { maxFrameBytes?: number } = {}) {
  const agent = fileURLToPath(new URL(`../test-agents/${name}.fixture.ts`, import.meta.url));
  const local = await startLocalRuntime({
    agents: { agent: { command: [process.execPath, ...process.execArgv, agent] } },
    stopGraceMs: 2_000,
    webSocket,
  });
  onTestFinished(() => local.close());
  vi.stubEnv('AWS_ENDPOINT_URL', local.endpoint);
  return { local, agentRuntimeArn: local.arnOf('agent') };
}

/** A way to the endpoint on which every connection can be cut. */
async function cuttableWay(endpoint: string): Promise<() => void> {
  const { port } = new URL(endpoint);
  const open = new Set<Socket>();
  const proxy = createServer((socket) => {
    const onward = connect(Number(port), '127.0.0.1');
    open.add(socket);
    socket.on('error', () => {}).once('close', () => onward.destroy());
    onward.on('error', () => {}).once('close', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    proxy.close();
  });
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  return cut;
}

const reach = { payload: { prompt: 'What is 6 times 7?', answer: '42' }, holdMs: 1 };

function reachOf(findings: readonly Finding[]): Record<string, Pick<Finding, 'verdict' | 'seen'>> {
  const own = findings.filter(({ id }) => id.startsWith('reach.'));
  return Object.fromEntries(own.map(({ id, verdict, seen }) => [id, { verdict, seen }]));
}

async function expectNoSession(local: LocalRuntime): Promise<void> {
  await expect.poll(() => local.metrics().liveSessions).toBe(0);
  expect(local.metrics().endedSessions.stopped).toBe(local.metrics().startedSessions);
}

it('tells of sockets what there is to tell, and leaves no session', async () => {
  const { local, agentRuntimeArn } = await startAgent('good-agent');
  const text = (part: string): string => expect.stringContaining(part) as string;
  expect(reachOf(await checkClient({ agentRuntimeArn, reach }))).toEqual({
    'reach.open': { verdict: 'ok', seen: text('the socket opened in') },
    'reach.call': { verdict: 'ok', seen: text('POST /chat/completions, ') },
    'reach.round-trip': { verdict: 'ok', seen: text('p50') },
    'reach.throughput': { verdict: 'ok', seen: text('400 messages of 24554 bytes') },
    'reach.frames': {
      verdict: 'ok',
      seen: 'messages of up to 32,768 bytes are carried both ways; one of 49,152 bytes is not: The socket into the session was lost: it was closed with 1006. A new socket opens after it',
    },
    'reach.query': { verdict: 'ok', seen: 'the agent got no query' },
    'reach.hold': { verdict: 'ok', seen: text('and the call still waits. Not observed: ') },
    'reach.answer': { verdict: 'ok', seen: 'it answered with its result' },
    'reach.stop': { verdict: 'ok', seen: '2 were opened, and each is stopped' },
  });
  await expectNoSession(local);
  // One message was too large, and on purpose.
  expect(local.metrics().sockets.dropped).toBe(1);
});

it('finds what a service does that keeps other limits, and what a network does that cuts', async () => {
  const { local, agentRuntimeArn } = await startAgent('good-agent', { maxFrameBytes: 22_000 });
  const cut = await cuttableWay(local.endpoint);
  const findings = await checkClient({
    agentRuntimeArn,
    reach: { ...reach, holdMs: 3_600_000 },
    onFinding: ({ id }) => id === 'reach.query' && cut(),
  });
  expect(reachOf(findings)).toMatchObject({
    'reach.throughput': { verdict: 'fault' },
    'reach.frames': {
      verdict: 'fault',
      seen: expect.stringMatching(/^messages of up to 20,480 bytes .* one of 24,576 bytes is not/) as string,
    },
    'reach.hold': {
      verdict: 'warning',
      seen: expect.stringMatching(/^it ended after .* 1006\. Another one opens/) as string,
    },
    'reach.answer': { verdict: 'ok' },
    'reach.stop': { verdict: 'ok' },
  });
  await expectNoSession(local);
});

describe('an agent that calls no model', () => {
  const asks = 'The rollout had ended: does the agent call its model at the base_url of the rollout?';

  it('is told so where its rollout ends before the first call, with a socket or without', async () => {
    const { local, agentRuntimeArn } = await startAgent('modelless-agent');
    const { 'reach.stop': stop, ...others } = reachOf(await checkClient({ agentRuntimeArn, reach }));
    expect(stop).toEqual({ verdict: 'ok', seen: '1 were opened, and each is stopped' });
    // The rollout ends at once: whether the socket comes before that is chance.
    const observed = Object.values(others).filter(({ verdict }) => verdict !== 'skipped');
    expect(observed.at(-1)).toEqual({
      verdict: 'fault',
      seen: expect.stringContaining(asks) as string,
    });
    expect(observed.slice(0, -1)).toEqual(
      others['reach.open']!.verdict === 'ok' ? [others['reach.open']] : [],
    );
    await expectNoSession(local);
  });

  it('has nothing measured on the socket that its rollout closes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'art-doctor-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const until = join(folder, 'end');
    const { local, agentRuntimeArn } = await startAgent('modelless-agent');
    const findings = await checkClient({
      agentRuntimeArn,
      reach: { ...reach, payload: { until } },
      onFinding: ({ id }) => id === 'reach.open' && void writeFile(until, ''),
    });
    const { 'reach.open': open, 'reach.call': call, 'reach.stop': stop, ...others } = reachOf(findings);
    expect(open).toMatchObject({ verdict: 'ok' });
    expect(call).toEqual({ verdict: 'fault', seen: expect.stringContaining(asks) as string });
    expect(stop).toEqual({ verdict: 'ok', seen: '1 were opened, and each is stopped' });
    expect(new Set(Object.values(others).map(({ verdict }) => verdict))).toEqual(new Set(['skipped']));
    await expectNoSession(local);
  });
});

it('stops its sessions where it is interrupted, whatever it waits for', async () => {
  const { local, agentRuntimeArn } = await startAgent('good-agent');
  const ending = new AbortController();
  const onFinding = ({ id }: Finding): void => {
    if (id === 'reach.round-trip') setImmediate(() => ending.abort(new Error('enough')));
  };
  await expect(checkClient({ agentRuntimeArn, reach, onFinding, signal: ending.signal })).rejects.toThrow(
    'enough',
  );
  await expectNoSession(local);
});
