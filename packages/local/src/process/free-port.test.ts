import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { returnPort, takePort } from './free-port.ts';

it('gives ports that can be bound and that nobody else gets', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, takePort));
  expect(new Set(ports).size).toBe(50);
  const server = createServer().listen(ports[0], '0.0.0.0');
  await once(server, 'listening');
  server.close();
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(10_000);
    expect(port).toBeLessThan(32_768);
    returnPort(port);
  }
});
