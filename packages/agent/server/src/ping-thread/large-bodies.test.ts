import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { maxPayloadBytes } from '@art/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { testApp, type TestApp } from './test-app.fixture.ts';

let made: TestApp;

afterEach(() => made.app.close());

const limit = 100_000;
// More than the system keeps for a connection that nobody reads, so that what is not read is seen.
const sentBytes = 30_000_000;

async function open(door: 'the app' | 'the thread'): Promise<Socket> {
  made = testApp(
    {
      invocationHandler: { process: () => 'taken' },
      config: {
        contentTypeParsers: [
          {
            contentType: 'text/plain',
            bodyLimit: limit,
            parser: (_request: unknown, body: unknown, done: (error: null, parsed: unknown) => void) =>
              done(null, { body }),
          },
        ],
      },
    },
    door,
  );
  await made.app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect(made.app.port!, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Everything that comes back until the connection is closed; a reset is an error. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

async function write(socket: Socket, data: string | Buffer): Promise<void> {
  if (!socket.write(data)) await once(socket, 'drain');
}

const head = (...lines: string[]): string =>
  ['POST /invocations HTTP/1.1', 'Host: a', 'Content-Type: text/plain', ...lines, '', ''].join('\r\n');
const piece = Buffer.alloc(50_000, 'x');

const doors = ['the app', 'the thread'] as const;

describe.each(doors)('a body that is too large, sent to %s,', (door) => {
  it.each(['close', 'keep-alive'])(
    'is answered with 413 and not with a reset, Connection: %s',
    async (connection) => {
      const socket = await open(door);
      const answer = readAll(socket);
      await write(socket, head(`Connection: ${connection}`, `Content-Length: ${sentBytes}`));
      for (let sent = 0; sent < sentBytes; sent += piece.length) await write(socket, piece);
      socket.end();
      expect(await answer).toMatch(/^HTTP\/1\.1 413 [^]*\{"error":"Request body is too large"\}$/);
    },
  );

  it('is answered so where its size is not announced', async () => {
    const socket = await open(door);
    const answer = readAll(socket);
    await write(socket, head('Connection: close', 'Transfer-Encoding: chunked'));
    for (let sent = 0; sent < sentBytes; sent += piece.length) {
      await write(socket, `${piece.length.toString(16)}\r\n`);
      await write(socket, piece);
      await write(socket, '\r\n');
    }
    await write(socket, '0\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 413 [^]*\{"error":"Request body is too large"\}$/);
  });

  it('is answered without having been asked for, where its sender waits for 100 Continue', async () => {
    const socket = await open(door);
    await write(socket, head('Expect: 100-continue', `Content-Length: ${maxPayloadBytes + 1}`));
    let answer = '';
    while (!answer.endsWith('}')) answer += String(((await once(socket, 'data')) as [Buffer])[0]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it('is no reason to keep others waiting for 100 Continue', async () => {
    const socket = await open(door);
    await write(socket, head('Connection: close', 'Expect: 100-continue', 'Content-Length: 3'));
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    await write(socket, 'abc');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
