import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@art/ground';
import { expect, it } from 'vitest';
import { eventually } from '@art/tooling/eventually';
import type { SessionAgent } from '../process/local-agent.ts';
import type { EndpointEvent } from '../service/endpoint-log.ts';
import { Session } from './session.ts';

const timing = {
  pingIntervalMs: 1,
  pingTimeoutMs: 60_000,
  idleTimeoutMs: 900_000,
  maxLifetimeMs: 900_000,
  stopGraceMs: 1_000,
  coldStartDelayMs: 0,
  strictPing: true,
  maxFailedPings: 15,
};

/** An agent whose one process is a port of this process; it is gone when it is stopped. */
function agentAt(port: number): SessionAgent {
  const gone = Promise.withResolvers<{ code: number; signal: null }>();
  const process = {
    exited: gone.promise,
    gone: gone.promise,
    stop: () => gone.resolve({ code: 0, signal: null }),
  };
  const agent = { port, process, log: { assign: () => {} } };
  return { name: 'math', pool: { take: async () => ({ agent, warm: true }) } } as unknown as SessionAgent;
}

it('waits for each ping before the next, and leaves nothing behind when it ends', async () => {
  const waiting: ServerResponse[] = [];
  let pings = 0;
  const server = createServer((_request, response) => {
    pings += 1;
    waiting.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const told: EndpointEvent[] = [];
  const add = (event: EndpointEvent): void => void told.push(event);
  const session = new Session(agentAt(port), 's', {
    timing,
    clock: systemClock,
    faults: undefined,
    log: { add },
  });
  for (let round = 1; round <= 5; round += 1) {
    await eventually(() => expect(waiting).toHaveLength(1));
    expect(pings).toBe(round);
    waiting.pop()?.end('{"status":"HealthyBusy","time_of_last_update":7}');
  }
  await eventually(() => expect(waiting).toHaveLength(1));
  expect(session.info()).toMatchObject({ state: 'ready', pings: 5, busy: true });
  const cut = once(waiting[0]!, 'close');
  session.end('stopped');
  await session.gone;
  await cut;
  expect(session.info()).toMatchObject({ state: 'ended', endReason: 'stopped', pings: 5 });
  expect(told).toMatchObject([{ kind: 'session_ready', agent: 'math', sessionId: 's', warm: true }]);
  server.close();
  await once(server, 'close');
});

it('tells of pings that had to wait: once they are answered, and before the end of a session that answers none', async () => {
  let isSilent = false;
  const server = createServer((request, response) => {
    if (isSilent) request.socket.destroy();
    else response.end('{"status":"Healthy"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Each look at it takes two seconds.
  let nowMs = 0;
  const clock = { ...systemClock, nowMs: () => (nowMs += 2_000) };
  const told: string[] = [];
  const add = ({ kind }: EndpointEvent): void => void told.push(kind);
  const waits = (): number => told.filter((kind) => kind === 'ping_waited').length;
  const { port } = server.address() as AddressInfo;
  const session = new Session(agentAt(port), 's', {
    timing: { ...timing, idleTimeoutMs: 1e12, maxLifetimeMs: 1e12, maxFailedPings: 1e9 },
    clock,
    faults: undefined,
    log: { add },
  });
  await eventually(() => expect(waits()).toBeGreaterThan(0));
  isSilent = true;
  const before = session.info().pings;
  await eventually(() => expect(session.info().pings).toBeGreaterThan(before + 2));
  const answered = waits();
  session.end('stopped');
  expect(waits()).toBe(answered + 1);
  await session.gone;
  server.close();
  await once(server, 'close');
});
