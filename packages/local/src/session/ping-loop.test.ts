import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { eventually } from '@art/tooling/eventually';
import type { PingObservation } from '../process/ping-agent.ts';
import { runPingLoop } from './ping-loop.ts';

it('waits for each ping before the next, and leaves nothing behind when it ends', async () => {
  const waiting: ServerResponse[] = [];
  let pings = 0;
  const server = createServer((_request, response) => {
    pings += 1;
    waiting.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const over = new AbortController();
  const seen: PingObservation[] = [];
  const loop = runPingLoop({
    port: (server.address() as AddressInfo).port,
    intervalMs: 1,
    signal: over.signal,
    nowMs: () => 0,
    onPing: (observation) => seen.push(observation),
  });
  for (let round = 1; round <= 5; round += 1) {
    await eventually(() => expect(waiting).toHaveLength(1));
    expect(pings).toBe(round);
    waiting.pop()?.end('{"status":"HealthyBusy","time_of_last_update":7}');
  }
  await eventually(() => expect(waiting).toHaveLength(1));
  over.abort();
  await loop;
  expect(seen).toEqual(Array.from({ length: 5 }, () => ({ kind: 'answered', busy: true, stamp: 7 })));
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});
