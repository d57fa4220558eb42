import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { LingeringResponse } from './lingering-response.ts';
import { lingerMs } from '@art/ground';

// More than the system keeps for a connection that nobody reads.
const body = Buffer.alloc(30_000_000, 'x');

/** A connection whose request is refused, when the answer is out and nothing of the body has been sent. */
async function refused(): Promise<{ socket: Socket; response: ServerResponse }> {
  const answered = Promise.withResolvers<ServerResponse>();
  const server = createServer({ ServerResponse: LingeringResponse }, (_request, response) => {
    response.statusCode = 413;
    response.setHeader('connection', 'close').end('too large');
    answered.resolve(response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`);
  return { socket, response: await answered.promise };
}

/** Nothing of this process runs for so long. */
function holdUp(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}

async function read(socket: Socket): Promise<string> {
  let answer = '';
  for await (const part of socket) answer += String(part);
  return answer;
}

it('reads what came while the process was held up, so that its answer is not lost by a reset', async () => {
  const { socket } = await refused();
  socket.end(body);
  // The body fills the system's buffers when the time for callers that send nothing is over.
  holdUp(lingerMs + 100);
  expect(await read(socket)).toMatch(/^HTTP\/1\.1 413 [^]*too large$/);
});

it('does not take the time in which the process was held up for silence of the caller', async () => {
  const { socket, response } = await refused();
  holdUp(lingerMs + 1_000);
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(response.writableEnded).toBe(false);
  socket.end(body);
  expect(await read(socket)).toMatch(/^HTTP\/1\.1 413 [^]*too large$/);
});
