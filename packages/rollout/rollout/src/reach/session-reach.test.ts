import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { systemClock } from '@art/ground';
import { ManualClock } from '@art/ground/testing';
import type { SessionSocket } from '@art/protocol';
import {
  type AnswerHead,
  defaultReachLimits,
  openLink,
  readAnswerHead,
  type ReachLink,
  readHello,
  reachVersion,
  writeHead,
} from '@art/protocol/reach';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ReachDeps, SessionReach } from './session-reach.ts';

/** One end of a socket in memory. */
class MemorySocket extends EventEmitter implements SessionSocket {
  other!: MemorySocket;
  isOpen = true;

  static pair(): [MemorySocket, MemorySocket] {
    const [one, other] = [new MemorySocket(), new MemorySocket()];
    one.other = other;
    other.other = one;
    return [one, other];
  }

  send(message: Uint8Array): void {
    if (this.isOpen)
      setImmediate(() => this.other.isOpen && this.other.emit('message', Buffer.from(message), true));
  }

  close(code = 1000): void {
    setImmediate(() => this.#end(code));
  }

  terminate(): void {
    this.#end(1006);
  }

  #end(code: number): void {
    for (const side of [this, this.other]) {
      if (side.isOpen) setImmediate(() => side.emit('close', code));
      side.isOpen = false;
    }
  }
}

interface Answered {
  head?: AnswerHead;
  body: string;
  /** The reason why a call was broken off; null if its socket was lost. */
  reset?: string | null;
}

/** The agent's end of each socket that was dialled. */
class AgentEnds {
  readonly links: ReachLink[] = [];
  readonly sockets: MemorySocket[] = [];
  readonly hellos: { isOnly: boolean }[] = [];
  refuses = 0;

  openSocket = async (): Promise<SessionSocket> => {
    const [trainer, agent] = MemorySocket.pair();
    if (this.refuses-- > 0) throw new Error('no such session');
    this.sockets.push(agent);
    this.links.push(
      openLink(agent, {
        clock: systemClock,
        limits: defaultReachLimits,
        events: {
          onHello: (link, bytes) => {
            this.hellos.push(readHello(bytes));
            link.accept();
            link.hello({ version: reachVersion });
          },
          onStream: () => undefined,
          onEnd: () => {},
        },
      }),
    );
    return trainer;
  };

  /** @param body sent at once, and ended, unless it is undefined */
  call(head: object, body: string | undefined = '', link = this.links.at(-1)!): Promise<Answered> {
    const answered: Answered = { body: '' };
    return new Promise((resolve) => {
      const whole = {
        call: 1,
        method: 'POST',
        path: `${path}/x`,
        headers: [],
        bodyBytes: body.length,
        ...head,
      };
      const stream = link.open(writeHead(whole), {
        onHead: (bytes) => {
          answered.head = readAnswerHead(bytes);
        },
        onData: (bytes) => {
          answered.body += bytes.toString();
          stream.read(bytes.length);
        },
        onEnd: () => resolve(answered),
        onReset: (reason) => resolve({ ...answered, reset: reason ?? null }),
      });
      stream.data(Buffer.from(body));
      stream.end();
    });
  }
}

/** Lets what is on its way in memory arrive. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const path = '/sessions/s-1/v1';
let gateway: Server;
let serve: (request: IncomingMessage, response: ServerResponse, body: string) => void;
let got: { url: string; headers: IncomingMessage['headers']; raw: string[]; body: string }[];

beforeEach(async () => {
  got = [];
  serve = (_request, response, body) => response.end(`got ${body}`);
  gateway = createServer((request, response) => {
    void text(request).then(
      (body) => {
        got.push({ url: request.url!, headers: request.headers, raw: request.rawHeaders, body });
        serve(request, response, body);
      },
      () => {},
    );
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  gateway.closeAllConnections();
  gateway.close();
});

async function reached(more: Partial<ReachDeps> & { gatewayUrl?: string } = {}) {
  const agent = new AgentEnds();
  const warnings: string[] = [];
  const { port } = gateway.address() as AddressInfo;
  const { gatewayUrl = `http://127.0.0.1:${port}/prefix`, ...deps } = more;
  const reach = new SessionReach(
    { sessionId: 's-1', gatewayUrl, path },
    {
      openSocket: agent.openSocket,
      limits: defaultReachLimits,
      renewAfterMs: 3_000_000,
      clock: systemClock,
      warn: (message) => void warnings.push(message),
      ...deps,
    },
  );
  onTestFinished(() => reach.close());
  reach.start();
  await vi.waitFor(() => expect(agent.hellos.length).toBeGreaterThan(0));
  return { agent, reach, warnings };
}

describe("the trainer's end", () => {
  it('passes calls on with the key of the session, and their answers back byte for byte', async () => {
    const { agent, reach } = await reached();
    reach.useKey('sk-art-1');
    serve = (_request, response) => {
      response.writeHead(418, ['x-twice', 'a', 'x-twice', 'b', 'content-type', 'x/y']);
      response.write('one ');
      response.end('two');
    };
    const headers = ['Authorization', 'Bearer of-the-agent', 'X-Own', 'ü', 'Host', 'evil'];
    const answer = await agent.call({ path: `${path}/x?a=b`, headers }, '{"a":1}');
    expect(answer).toMatchObject({ body: 'one two', head: { status: 418 } });
    expect(answer.head!.headers.join()).toContain('x-twice,a,x-twice,b,content-type,x/y');
    expect(got).toMatchObject([{ url: `/prefix${path}/x?a=b`, body: '{"a":1}' }]);
    expect(got[0]!.headers).toMatchObject({ authorization: 'Bearer sk-art-1', 'content-length': '7' });
    expect(got[0]!.headers.host).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(got[0]!.raw).toContain('X-Own');
  });

  it.each([
    '/admin/workers',
    '/sessions/s-1/traces',
    '/sessions/other/v1/x',
    `${path}/../../../admin`,
    `http://evil/${path}`,
  ])('passes nothing on to %s, whatever the agent has been made to send', async (target) => {
    const { agent } = await reached();
    const { reset } = await agent.call({ path: target });
    expect(reset).toContain('nothing on but the model calls of this session');
    expect(got).toEqual([]);
  });

  it('passes no call on twice, also not over another socket', async () => {
    const { agent } = await reached();
    const lost = Promise.withResolvers<void>();
    serve = () => lost.resolve();
    const first = agent.call({ call: 7 }, 'x');
    await lost.promise;
    agent.sockets[0]!.terminate();
    expect((await first).reset).toBeNull();
    await vi.waitFor(() => expect(agent.hellos).toHaveLength(2));
    expect((await agent.call({ call: 7 }, 'x')).reset).toBe('seen');
    serve = (_request, response) => response.end('other');
    expect(await agent.call({ call: 8 }, 'x')).toMatchObject({ body: 'other' });
    expect(got).toHaveLength(2);
  });

  it('passes on a second time what was cut before its last byte', async () => {
    const { agent } = await reached();
    const arrived = new Promise<void>((resolve) => void gateway.once('connection', () => resolve()));
    // One byte less than it says: the end never comes.
    const link = agent.links[0]!;
    const head = { call: 1, method: 'POST', path: `${path}/x`, headers: [], bodyBytes: 5 };
    link
      .open(writeHead(head), { onData: () => {}, onEnd: () => {}, onReset: () => {} })
      .data(Buffer.from('four'));
    await arrived;
    agent.sockets[0]!.terminate();
    await vi.waitFor(() => expect(agent.hellos).toHaveLength(2));
    expect(await agent.call({ call: 1 }, 'whole')).toMatchObject({ body: 'got whole' });
    expect(got.map(({ body }) => body)).toEqual(['whole']);
  });

  it('has the gateway notice that the agent, or its socket, has gone', async () => {
    const { agent } = await reached();
    const called = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    serve = (_request, response) => {
      response.once('close', closed.resolve);
      called.resolve();
    };
    void agent.call({}, 'x');
    await called.promise;
    agent.sockets[0]!.terminate();
    await expect(closed.promise).resolves.toBeUndefined();
  });

  it('says what is wrong with the gateway', async () => {
    const { agent } = await reached({ gatewayUrl: 'http://127.0.0.1:1' });
    expect((await agent.call({}, 'x')).reset).toContain('could not reach the gateway');
  });

  it('breaks an answer off whose status nobody can pass on, and no other call notices', async () => {
    const { agent } = await reached();
    serve = (_request, response) => response.writeHead(700).end();
    expect((await agent.call({ call: 1 })).reset).toContain('answered with status 700');
    serve = (_request, response) => response.end('other');
    expect(await agent.call({ call: 2 })).toMatchObject({ body: 'other' });
  });

  it('breaks an answer off that the gateway broke off', async () => {
    const { agent } = await reached();
    serve = (request, response) => {
      response.write('half');
      setImmediate(() => request.socket.destroy());
    };
    const { reset } = await agent.call({}, 'x');
    expect(reset).toMatch(/gateway/);
  });

  it('dials again until it gets through, and warns when that lasts', async () => {
    const clock = new ManualClock();
    const agent = new AgentEnds();
    agent.refuses = 6;
    const warnings: string[] = [];
    const reach = new SessionReach(
      { sessionId: 's-1', gatewayUrl: 'http://127.0.0.1:1', path },
      {
        openSocket: agent.openSocket,
        limits: defaultReachLimits,
        renewAfterMs: 3_000_000,
        clock,
        warn: (message) => void warnings.push(message),
      },
    );
    onTestFinished(() => reach.close());
    reach.start();
    await vi.waitFor(() => {
      clock.advance(15_000);
      expect(agent.hellos).toHaveLength(1);
    });
    expect(warnings).toEqual([expect.stringContaining('session s-1 cannot reach the gateway')]);
    expect(warnings[0]).toContain('no such session');
  });

  it('dials less and less often while its sockets break soon, warns, and dials at once when one has lived', async () => {
    const clock = new ManualClock();
    const agent = new AgentEnds();
    const warnings: string[] = [];
    const { openSocket } = agent;
    const deps = { openSocket, limits: defaultReachLimits, renewAfterMs: 3_000_000, clock, random: () => 1 };
    const reach = new SessionReach(
      { sessionId: 's-1', gatewayUrl: 'http://127.0.0.1:1', path },
      { ...deps, warn: (message) => void warnings.push(message) },
    );
    onTestFinished(() => reach.close());
    reach.start();
    const dialled = async (count: number): Promise<void> => {
      await vi.waitFor(() => expect(agent.hellos).toHaveLength(count));
      await turns();
    };
    const pauses = [250, 500, 1_000, 2_000, 4_000, 8_000];
    for (const [index, pauseMs] of pauses.entries()) {
      await dialled(index + 1);
      agent.sockets.at(-1)!.terminate();
      await turns();
      clock.advance(pauseMs - 1);
      await turns();
      expect(agent.sockets).toHaveLength(index + 1);
      clock.advance(1);
    }
    expect(warnings).toEqual([expect.stringContaining('The socket into the session was lost') as string]);
    await dialled(7);
    clock.advance(10_000);
    agent.sockets.at(-1)!.terminate();
    await dialled(8);
  });

  it('gives a handshake up that nobody answers within a minute, and dials again', async () => {
    const clock = new ManualClock();
    let dials = 0;
    const openSocket = (): Promise<SessionSocket> => {
      dials += 1;
      return new Promise(() => {});
    };
    const deps = { openSocket, limits: defaultReachLimits, renewAfterMs: 3_000_000, clock, warn: () => {} };
    const reach = new SessionReach({ sessionId: 's-1', gatewayUrl: 'http://127.0.0.1:1', path }, deps);
    onTestFinished(() => reach.close());
    reach.start();
    clock.advance(59_999);
    expect(dials).toBe(1);
    await vi.waitFor(() => {
      clock.advance(250);
      expect(dials).toBe(2);
    });
  });

  it('opens a new socket before the hour ends, and the calls of the old one run out', async () => {
    const { agent } = await reached({ renewAfterMs: 200, random: () => 0 });
    const answer = Promise.withResolvers<ServerResponse>();
    serve = (_request, response) => answer.resolve(response);
    const old = agent.call({ call: 1 }, 'x');
    const response = await answer.promise;
    await vi.waitFor(() => expect(agent.hellos.length).toBeGreaterThan(1));
    expect(agent.hellos.slice(0, 2)).toMatchObject([{ isOnly: true }, { isOnly: false }]);
    response.end('late');
    expect(await old).toMatchObject({ body: 'late' });
    await vi.waitFor(() => expect(agent.links[0]!.hasEnded).toBe(true));
  });

  it('closes its socket at the end, and dials no more', async () => {
    const { agent, reach } = await reached();
    await reach.close();
    await vi.waitFor(() => expect(agent.links[0]!.hasEnded).toBe(true));
    reach.start();
    expect(agent.links).toHaveLength(1);
  });
});
