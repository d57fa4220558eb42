import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type AgentRuntime, type RuntimeError } from '@art/protocol';
import { ArtError } from '@art/ground';
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { HttpAgentRuntime } from './http-agent-runtime.ts';
import { newSessionId } from './tiny-agent.fixture.ts';

const agentRuntimeArn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/math-abc';
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function runtimeAgainst(listener: RequestListener): Promise<HttpAgentRuntime> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const runtime = new HttpAgentRuntime({
    endpoint: `http://127.0.0.1:${port}/`,
    agentRuntimeArn,
    qualifier: 'a b',
  });
  cleanups.push(async () => {
    runtime.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return runtime;
}

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

describe('HttpAgentRuntime', () => {
  it('is an AgentRuntime', () => {
    expectTypeOf<HttpAgentRuntime>().toExtend<AgentRuntime>();
  });

  it('sends what AWS sends, body byte for byte', async () => {
    const seen: unknown[] = [];
    const runtime = await runtimeAgainst((request, response) => {
      void read(request).then((body) => {
        seen.push([request.method, request.url, request.headers['content-type'], body]);
        response.setHeader('x-amzn-requestid', 'r1');
        response.setHeader('x-amzn-bedrock-agentcore-runtime-session-id', 's1');
        response.end('{"status":"processing"}');
      });
    });
    const sessionId = newSessionId();
    const body = '{"prompt":"grüße", "big":12345678901234567890}';
    expect(await runtime.invoke({ sessionId, body })).toEqual({
      body: '{"status":"processing"}',
      requestId: 'r1',
      sessionId: 's1',
    });
    expect(await runtime.stop(sessionId)).toEqual({ kind: 'stopped' });
    const path = `/runtimes/${encodeURIComponent(agentRuntimeArn)}`;
    expect(seen).toEqual([
      ['POST', `${path}/invocations?qualifier=a%20b`, 'application/json', body],
      ['POST', `${path}/stopruntimesession?qualifier=a%20b`, 'application/json', '{}'],
    ]);
  });

  it.each([
    [429, 'ART_RUNTIME_THROTTLED'],
    [402, 'ART_RUNTIME_QUOTA'],
    [409, 'ART_RUNTIME_CONFLICT'],
    [400, 'ART_RUNTIME_REJECTED'],
    [424, 'ART_CONTAINER_ERROR'],
    [503, 'ART_RUNTIME_UNAVAILABLE'],
  ])('sorts %i under %s', async (status, code) => {
    const runtime = await runtimeAgainst((_request, response) => {
      response.writeHead(status, { 'retry-after': '5', 'x-amzn-requestid': 'r1' });
      response.end('{"message":"what it said"}');
    });
    const failure = runtime.invoke({ sessionId: newSessionId(), body: '{}' });
    await expect(failure).rejects.toMatchObject({
      code,
      httpStatus: status,
      retryAfterMs: 5_000,
      requestId: 'r1',
    });
    await expect(failure).rejects.toThrow('what it said');
  });

  it('knows what has not left this process', async () => {
    const left = vi.fn<() => void>();
    const runtime = await runtimeAgainst((request) => request.socket.destroy());
    const call = (): Promise<unknown> =>
      runtime.invoke({ sessionId: newSessionId(), body: '{}' }, { onLeaving: left });
    await expect(call()).rejects.toMatchObject({ code: 'ART_RUNTIME_UNAVAILABLE', delivery: 'unknown' });
    expect(left).toHaveBeenCalledOnce();
    // Nobody listens there any more.
    await cleanups.pop()!();
    await expect(call()).rejects.toMatchObject({ code: 'ART_RUNTIME_UNAVAILABLE', delivery: 'never' });
    expect(left).toHaveBeenCalledOnce();
  });

  it('shows an answer that is not JSON, and understands a date to wait for', async () => {
    const runtime = await runtimeAgainst((_request, response) => {
      response.writeHead(502, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() });
      response.end('<html>Bad Gateway</html>');
    });
    const failure = (await runtime.stop(newSessionId()).catch((error: unknown) => error)) as RuntimeError;
    expect(failure.message).toContain('<html>Bad Gateway</html>');
    expect(failure.retryAfterMs).toBeGreaterThan(50_000);
    expect(failure.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it('tells a session that is gone from a runtime that is not there', async () => {
    let message = 'Runtime session x not found or already terminated';
    const runtime = await runtimeAgainst((_request, response) => {
      response.writeHead(404).end(JSON.stringify({ message }));
    });
    expect(await runtime.stop(newSessionId())).toEqual({ kind: 'not_found' });
    message = 'No endpoint or agent found';
    await expect(runtime.stop(newSessionId())).rejects.toMatchObject({ code: 'ART_RUNTIME_REJECTED' });
  });

  it('calls a broken connection unknown delivery', async () => {
    const runtime = await runtimeAgainst((request) => request.socket.destroy());
    const failure = runtime.invoke({ sessionId: newSessionId(), body: '{}' });
    await expect(failure).rejects.toMatchObject({ code: 'ART_RUNTIME_UNAVAILABLE', delivery: 'unknown' });
    const nobody = new HttpAgentRuntime({ endpoint: 'http://127.0.0.1:9', agentRuntimeArn });
    await expect(nobody.stop(newSessionId())).rejects.toThrow('ECONNREFUSED');
  });

  it('rejects with the reason of its signal, before and during the call', async () => {
    let arrived = 0;
    const runtime = await runtimeAgainst(() => void (arrived += 1));
    const sessionId = newSessionId();
    const aborted = AbortSignal.abort(new Error('changed my mind'));
    await expect(runtime.invoke({ sessionId, body: '{}' }, { signal: aborted })).rejects.toThrow(
      'changed my mind',
    );
    expect(arrived).toBe(0);
    const controller = new AbortController();
    const call = runtime.invoke({ sessionId, body: '{}' }, { signal: controller.signal });
    await expect.poll(() => arrived).toBe(1);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  it('has as many calls under way as are made', async () => {
    const waiting: (() => void)[] = [];
    const runtime = await runtimeAgainst((_request, response) => {
      waiting.push(() => response.end('{}'));
    });
    const calls = Array.from({ length: 200 }, () =>
      runtime.invoke({ sessionId: newSessionId(), body: '{}' }),
    );
    await expect.poll(() => waiting.length).toBe(200);
    for (const answer of waiting) answer();
    await Promise.all(calls);
  });

  it('refuses what cannot work before it sends anything', async () => {
    const runtime = await runtimeAgainst(() => {
      throw new Error('sent');
    });
    await expect(runtime.invoke({ sessionId: 'short', body: '{}' })).rejects.toMatchObject({
      code: 'ART_INVALID_SESSION_ID',
    });
    await expect(runtime.stop('short')).rejects.toMatchObject({ code: 'ART_INVALID_SESSION_ID' });
    const body = 'x'.repeat(100_000_001);
    await expect(runtime.invoke({ sessionId: newSessionId(), body })).rejects.toMatchObject({
      code: 'ART_INVALID_PAYLOAD',
    });
    const make = (endpoint: string, arn: string) => (): unknown =>
      new HttpAgentRuntime({ endpoint, agentRuntimeArn: arn });
    expect(make('ftp://x', agentRuntimeArn)).toThrow(ArtError);
    expect(make('nonsense', agentRuntimeArn)).toThrow(
      'Expected `endpoint` to be an http or https URL, got "nonsense".',
    );
    expect(make('http://x', 'arn:x')).toThrow(expect.objectContaining({ code: 'ART_INVALID_ARN' }));
  });
});
