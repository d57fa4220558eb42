import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { arrivedEvents } from './arrived-events.ts';

it('lets what arrived in time be heard before a time-out of a process that was held up', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // Of a turn's phases timers come next.
  await turn();
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let isConnected = false;
  socket.once('connect', () => (isConnected = true));
  const timeOut = delay(1);
  // The process is held up after its handshake has left.
  process.nextTick(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50));
  await timeOut;
  expect(isConnected).toBe(false);
  await arrivedEvents();
  expect(isConnected).toBe(true);
});
