import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@art/async';
import { expect, it } from 'vitest';
import { eventually } from '@art/tooling/eventually';
import type { LocalAgent } from '../process/local-agent.ts';
import { Session } from './session.ts';

const timing = {
  pingIntervalMs: 1,
  idleTimeoutMs: 900_000,
  maxLifetimeMs: 900_000,
  stopGraceMs: 1_000,
  coldStartDelayMs: 0,
  strictPing: true,
  maxFailedPings: 15,
};

/** An agent whose one process is a port of this process; it is gone when it is stopped. */
function agentAt(port: number): LocalAgent {
  const gone = Promise.withResolvers<{ code: number; signal: null }>();
  const process = {
    exited: gone.promise,
    gone: gone.promise,
    stop: () => gone.resolve({ code: 0, signal: null }),
  };
  const agent = { port, process, log: { assign: () => {} } };
  return { name: 'math', pool: { take: async () => ({ agent, warm: true }) } } as unknown as LocalAgent;
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
  const session = new Session(agentAt(port), 's', { timing, clock: systemClock, faults: undefined });
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
  server.close();
  await once(server, 'close');
});
