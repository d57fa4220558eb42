import { channel } from 'node:diagnostics_channel';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { RuntimeError } from '@art/protocol';
import { BedrockAgentCoreClient } from '@aws-sdk/client-bedrock-agentcore';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AgentCoreRuntime } from './agentcore-runtime.ts';
import type { AgentCoreRuntimeOptions } from './agentcore-runtime-options.ts';
import { startRecordingServer, stubAwsEnvironment } from './recording-server.fixture.ts';

const agentRuntimeArn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/my_agent-abc123';
const sessionIdOf = (number: number): string => `0a1b2c3d-0000-4000-8000-00000000000${number}`;
const servers: Server[] = [];

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  // Nobody listens to every request of the process once the calls are over.
  expect(channel('http.client.request.created').hasSubscribers).toBe(false);
});

/** A port whose connections are closed before a byte was read or written. */
async function deafPort(): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Nobody listens there: the system hands this port out to no process. */
const nobody = 'http://127.0.0.1:1';

/** Result of one call, and how often it was told to leave. */
async function fate(options: Partial<AgentCoreRuntimeOptions> = {}, signal?: AbortSignal) {
  using runtime = new AgentCoreRuntime({ agentRuntimeArn, ...options });
  const onLeaving = vi.fn<() => void>();
  const error = await runtime
    .invoke({ sessionId: sessionIdOf(1), body: '{}' }, { onLeaving, signal })
    .then(() => undefined)
    .catch((failure: RuntimeError) => failure);
  return { error, left: onLeaving.mock.calls.length, tells: runtime.tellsLeaving };
}

describe('an invocation', () => {
  it('is told to leave before the server has a byte of it', async () => {
    const seen: string[] = [];
    await using server = await startRecordingServer((response) => {
      seen.push('arrived');
      response.end('{}');
    });
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn });
    // The second one finds its connection open.
    for (const number of [1, 2])
      await runtime.invoke(
        { sessionId: sessionIdOf(number), body: '{}' },
        { onLeaving: () => seen.push('left') },
      );
    await runtime.stop(sessionIdOf(1));
    expect(seen).toEqual(['left', 'arrived', 'left', 'arrived', 'arrived']);
  });

  it('that found nobody was certainly not delivered', async () => {
    stubAwsEnvironment(nobody);
    const { error, left } = await fate();
    expect(error).toMatchObject({ code: 'ART_RUNTIME_UNAVAILABLE', delivery: 'never' });
    expect(left).toBe(0);
  });

  it('whose handshake failed was certainly not delivered', async () => {
    stubAwsEnvironment(`https://127.0.0.1:${await deafPort()}`);
    const { error, left } = await fate();
    expect(error).toMatchObject({ code: 'ART_RUNTIME_UNAVAILABLE', delivery: 'never' });
    expect(left).toBe(0);
  });

  it('whose connection broke later may have been delivered', async () => {
    await using server = await startRecordingServer((response) => response.socket?.destroy());
    stubAwsEnvironment(server.url);
    const { error, left } = await fate();
    expect(error).toMatchObject({ code: 'ART_RUNTIME_UNAVAILABLE', delivery: 'unknown' });
    expect(left).toBe(1);
  });

  it('that waits for a place among the connections has not left when its time is up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const arrived = Promise.withResolvers<void>();
    await using server = await startRecordingServer(() => arrived.resolve());
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn, maxConnections: 1, requestTimeoutMs: 1_000 });
    const left: number[] = [];
    const calls = [1, 2].map((number) =>
      runtime
        .invoke({ sessionId: sessionIdOf(number), body: '{}' }, { onLeaving: () => left.push(number) })
        .catch((error: RuntimeError) => error.delivery),
    );
    await arrived.promise;
    expect(left).toHaveLength(1);
    // The time of both is up before the socket of the first is closed, which would make room for the second.
    vi.advanceTimersByTime(1_000);
    const deliveries = await Promise.all(calls);
    expect(deliveries).toEqual(left[0] === 1 ? ['unknown', 'never'] : ['never', 'unknown']);
  });

  it('of a client that was passed in is not judged', async () => {
    stubAwsEnvironment(nobody);
    const client = new BedrockAgentCoreClient({ region: 'us-west-2', maxAttempts: 1 });
    const { error, tells } = await fate({ client });
    client.destroy();
    expect([error, tells]).toMatchObject([{ delivery: 'unknown' }, false]);
  });
});
