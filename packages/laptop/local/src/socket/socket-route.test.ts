import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { ManualClock } from '@art/ground/testing';
import { eventually } from '@art/tooling/eventually';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type LocalRuntime, type LocalRuntimeOptions, startLocalRuntime } from '../index.ts';
import { newSessionId, tinyAgent } from '../tiny-agent.fixture.ts';

const socketAgent = [process.execPath, join(import.meta.dirname, '../test-agents/socket-agent.mjs')];
const sessionHeader = 'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id';

function start(options: Partial<LocalRuntimeOptions> = {}): Promise<LocalRuntime> {
  const agents = { talker: { command: socketAgent }, mute: { command: tinyAgent() } };
  return startLocalRuntime({ agents, stopGraceMs: 2_000, ...options });
}

interface Dial {
  agent?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  protocols?: string[];
}

/** A socket whose messages are read one by one. */
class Caller implements Disposable {
  readonly socket: WebSocket;
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #messages: (string | Buffer)[] = [];

  constructor(local: LocalRuntime, { agent = 'talker', query = {}, headers = {}, protocols = [] }: Dial) {
    const url = new URL(`/runtimes/${encodeURIComponent(local.arnOf(agent))}/ws`, local.endpoint);
    url.protocol = 'ws:';
    url.search = new URLSearchParams({ qualifier: 'DEFAULT', ...query }).toString();
    this.socket = new WebSocket(url, protocols, { headers });
    this.socket.on('message', (data: Buffer, isBinary) => {
      this.#messages.push(isBinary ? data : data.toString());
    });
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => {
      this.socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  async next(): Promise<string | Buffer> {
    await eventually(() => expect(this.#messages.length).toBeGreaterThan(0));
    return this.#messages.shift()!;
  }

  /** Handshake as the agent saw it. */
  async hello(): Promise<{ pid: number; url: string; headers: Record<string, string> }> {
    return JSON.parse(String(await this.next())) as {
      pid: number;
      url: string;
      headers: Record<string, string>;
    };
  }

  /** The status of a handshake that was refused, and the answer's body. */
  async refusal(): Promise<{ status: number | undefined; body: string }> {
    const [, response] = (await once(this.socket, 'unexpected-response')) as [unknown, IncomingMessage];
    const body = (await Array.fromAsync(response)) as Buffer[];
    return { status: response.statusCode, body: Buffer.concat(body).toString() };
  }

  [Symbol.dispose](): void {
    this.socket.terminate();
  }
}

describe('the WebSocket of a session', () => {
  it('carries text, bytes, pings, the subprotocol, close codes and reasons unchanged', async () => {
    await using local = await start();
    using caller = new Caller(local, { protocols: ['echo.v1', 'echo.v2'] });
    await caller.hello();
    expect(caller.socket.protocol).toBe('echo.v2');
    const bytes = Buffer.from(Array.from({ length: 32_768 }, (_, at) => at % 256));
    caller.socket.send('grüße');
    caller.socket.send(bytes);
    caller.socket.send('');
    expect(await caller.next()).toBe('grüße');
    expect(bytes.equals((await caller.next()) as Buffer)).toBe(true);
    expect(await caller.next()).toBe('');
    const pong = once(caller.socket, 'pong');
    caller.socket.ping('are you there');
    expect(String(await pong)).toBe('are you there');
    caller.socket.send('close 4001');
    expect(await caller.closed).toEqual({ code: 4001, reason: 'as you wish' });
    await eventually(() =>
      expect(local.metrics().sockets).toEqual({
        open: 0,
        opened: 1,
        dropped: 0,
        largestFrameBytes: 32_768,
        mostFramesPerSecond: expect.any(Number) as number,
      }),
    );
    expect(local.endpointLog().findLast(({ kind }) => kind === 'socket_closed')).toMatchObject({
      reason: 'agent',
    });
  });

  it('is one of the session that an invocation has, whose id may stand in the query and is withheld there', async () => {
    await using local = await start();
    const sessionId = newSessionId();
    const answer = await local.runtime('talker').invoke({ sessionId, body: '{}' });
    const custom = 'X-Amzn-Bedrock-AgentCore-Runtime-Custom-Tenant';
    using byQuery = new Caller(local, {
      query: { [sessionHeader]: sessionId, [custom]: 'blue', 'X-Amz-Signature': 'planted-signature' },
      protocols: ['base64UrlBearerAuthorization.ey'],
    });
    using byHeader = new Caller(local, { headers: { [sessionHeader]: sessionId } });
    const seen = await byQuery.hello();
    expect(seen).toMatchObject({
      pid: (JSON.parse(answer.body) as { pid: number }).pid,
      url: '/ws',
      headers: { [sessionHeader.toLowerCase()]: sessionId, [custom.toLowerCase()]: 'blue' },
    });
    expect(JSON.stringify(seen)).not.toMatch(/planted-signature|Bearer/);
    expect((await byHeader.hello()).pid).toBe(seen.pid);
    expect(local.metrics().startedSessions).toBe(1);
  });

  it.each<[string, Dial, number, string]>([
    ['an unknown agent', { query: { accountId: '000000000000' } }, 404, 'No endpoint or agent found'],
    [
      'a session id that the service refuses',
      { headers: { [sessionHeader]: 'short' } },
      400,
      'failed to satisfy',
    ],
    ['a page of the web', { headers: { origin: 'https://evil.example' } }, 403, 'Web pages are not answered'],
    ['an agent without a socket', { agent: 'mute' }, 424, 'Received error'],
  ])('refuses %s before the handshake is answered', async (_what, dial, status, words) => {
    await using local = await start();
    using caller = new Caller(local, dial);
    const refusal = await caller.refusal();
    expect(refusal.status).toBe(status);
    expect(refusal.body).toContain(words);
    expect(local.metrics().sockets.opened).toBe(0);
  });

  it('refuses a request that is no handshake, and starts no session for it', async () => {
    await using local = await start();
    const response = await fetch(
      `${local.endpoint}/runtimes/${encodeURIComponent(local.arnOf('talker'))}/ws`,
    );
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('Expected a WebSocket handshake');
    expect(local.metrics().startedSessions).toBe(0);
  });

  it.each([
    ['a frame that is too large', { maxFrameBytes: 2_000 }, 'send 2001', 'frame_size'],
    ['too many frames in a second', { framesPerSecond: 20 }, 'burst 30', 'frame_rate'],
  ])('is dropped without a word for %s', async (_what, webSocket, order, reason) => {
    const clock = new ManualClock();
    await using local = await start({ webSocket, clock });
    using caller = new Caller(local, {});
    await caller.hello();
    caller.socket.send(order);
    expect(await caller.closed).toEqual({ code: 1006, reason: '' });
    await eventually(() => expect(local.metrics().sockets).toMatchObject({ open: 0, dropped: 1 }));
    expect(local.endpointLog().at(-1)).toMatchObject({ kind: 'socket_closed', reason });
  });

  it('ends with the session, and with its own time', async () => {
    await using local = await start({ webSocket: { maxDurationMs: 500 } });
    const sessionId = newSessionId();
    using timed = new Caller(local, { headers: { [sessionHeader]: sessionId } });
    expect(await timed.closed).toMatchObject({ code: 1001 });
    await using lasting = await start();
    using stopped = new Caller(lasting, { headers: { [sessionHeader]: sessionId } });
    await stopped.hello();
    await lasting.runtime('talker').stop(sessionId);
    expect(await stopped.closed).toMatchObject({ code: 1001 });
  });

  it('keeps a session with its frames, and not by being open', async () => {
    const clock = new ManualClock();
    await using local = await start({ clock, idleTimeoutMs: 60_000, pingIntervalMs: 20 });
    const state = () => local.sessions()[0];
    using caller = new Caller(local, {});
    await caller.hello();
    clock.advance(59_000);
    caller.socket.send('still here');
    await caller.next();
    clock.advance(59_000);
    const { pings } = state()!;
    await eventually(() => expect(state()!.pings).toBeGreaterThan(pings + 2));
    expect(state()).toMatchObject({ state: 'ready' });
    clock.advance(2_000);
    expect(await caller.closed).toMatchObject({ code: 1001 });
    expect(state()).toMatchObject({ endReason: 'idle' });
  });

  it('does not outlive a caller who leaves, also in the middle of the handshake', async () => {
    await using local = await start();
    const sessionId = newSessionId();
    using early = new Caller(local, { headers: { [sessionHeader]: sessionId } });
    await eventually(() => expect(local.sessions()).toHaveLength(1));
    early.socket.terminate();
    using caller = new Caller(local, { headers: { [sessionHeader]: sessionId } });
    await caller.hello();
    caller.socket.terminate();
    await eventually(() => expect(local.metrics().sockets).toMatchObject({ open: 0 }));
  });
});
