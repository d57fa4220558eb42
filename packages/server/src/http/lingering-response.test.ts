import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { LingeringResponse } from './lingering-response.ts';
import { lingerMs } from './request-limits.ts';

it('reads what came while the process was held up, so that its answer is not lost by a reset', async () => {
  const answered = Promise.withResolvers<void>();
  const server = createServer({ ServerResponse: LingeringResponse }, (_request, response) => {
    response.statusCode = 413;
    response.setHeader('connection', 'close').end('too large');
    answered.resolve();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  // More than the system keeps for a connection that nobody reads.
  const body = Buffer.alloc(30_000_000, 'x');
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`);
  await answered.promise;
  socket.end(body);
  // The body fills the system's buffers when the time for callers that send nothing is over.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lingerMs + 100);
  let answer = '';
  for await (const part of socket) answer += String(part);
  expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*too large$/);
});
