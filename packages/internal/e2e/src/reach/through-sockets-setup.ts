/** Every test of a file calls its gateways through sockets; see `vitest.reach.config.ts`. */
import { afterAll, beforeAll } from 'vitest';
import { ThroughSockets } from './through-sockets.fixture.ts';

let sockets: ThroughSockets;
beforeAll(async () => {
  sockets = await ThroughSockets.install();
});
afterAll(async () => {
  console.log(`${sockets.calls} calls went through sockets`);
  await sockets[Symbol.asyncDispose]();
});
