import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { testApp } from './test-app.fixture.ts';

/** The text that arrived until the connection was closed. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('error', () => undefined);
  for await (const chunk of socket) text += String(chunk);
  return text;
}

const doors = ['the app', 'the thread'] as const;

// Both at once: Node looks for what is late every five seconds.
it.concurrent.each(doors)(
  'requests that take too long to arrive at %s are closed with 408, and one that takes long to be answered is not',
  async (door) => {
    const gate = Promise.withResolvers<string>();
    await using app = testApp({ invocationHandler: { process: () => gate.promise } }, door).app;
    // As an app of a user's own sets them.
    app.fastify.server.headersTimeout = 300;
    app.fastify.server.requestTimeout = 600;
    await app.listen({ port: 0, host: '127.0.0.1' });
    const open = async (text: string): Promise<Socket> => {
      const socket = connect(app.port!, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(text);
      return socket;
    };
    const post = 'POST /invocations HTTP/1.1\r\nHost: a\r\n';
    const long = await open(`${post}Connection: close\r\nContent-Length: 2\r\n\r\n{}`);
    const answered = readAll(long);
    const late = await Promise.all(
      [
        '',
        'POST /invo',
        `${post}X-Slow: `,
        `${post}Content-Length: 20\r\n\r\n{"a":`,
        `${post}Content-Length: 90000\r\n\r\n{"a":`,
        `${post}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":`,
      ].map(open),
    );
    // One that sends a byte now and then is as late as one that sends none.
    const drip = setInterval(() => late[2]!.write('x'), 50);
    late[2]!.once('close', () => clearInterval(drip));
    for (const text of await Promise.all(late.map(readAll))) expect(text).toMatch(/^(HTTP\/1\.1 408 |$)/);
    clearInterval(drip);
    gate.resolve('at last');
    expect(await answered).toMatch(/^HTTP\/1\.1 200 [^]*"at last"$/);
  },
);
