import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { returnPort, takePort, tellsTakenPort } from './free-port.ts';

it('gives ports that can be bound and that nobody else gets', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, takePort));
  expect(new Set(ports).size).toBe(50);
  // Another process may bind one of them first.
  await Promise.any(
    ports.map(async (port) => {
      const server = createServer().listen(port, '0.0.0.0');
      onTestFinished(() => void server.close());
      await once(server, 'listening');
    }),
  );
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(10_000);
    expect(port).toBeLessThan(32_768);
    returnPort(port);
  }
});

it.each([
  'Error: listen EADDRINUSE: address already in use 127.0.0.1:12345',
  'OSError: [Errno 98] Address already in use',
  "[Errno 98] error while attempting to bind on address ('127.0.0.1', 12345): address already in use",
  'ART_PORT_TAKEN: Port 12345 of 0.0.0.0 is taken by another program.',
])('knows a program that lost its port by %s', (output) => {
  expect(tellsTakenPort(`started\n${output}\n`, 12_345)).toBe(true);
});

it('does not blame the port for another end', () => {
  expect(tellsTakenPort('Error: Cannot find module ./agent.js', 12_345)).toBe(false);
});

it.each([
  'Error: listen EADDRINUSE: address already in use :::8080',
  "[Errno 98] error while attempting to bind on address ('127.0.0.1', 8080): address already in use",
  'ART_PORT_TAKEN: Port 8080 of 0.0.0.0 is taken by another program.',
  "  code: 'EADDRINUSE',\n  errno: -98,\n  syscall: 'listen',\n  port: 8080\n}",
])('does not start a program again that took its own port choice: %s', (output) => {
  expect(tellsTakenPort(output, 12_345)).toBe(false);
});
