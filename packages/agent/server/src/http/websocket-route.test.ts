import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { sessionHeader, sessionId, testApp, type TestApp } from '../test-app.fixture.ts';

let made: TestApp;

afterEach(() => made.app.close());

async function connect(): Promise<WebSocket> {
  await made.app.listen({ port: 0, host: '127.0.0.1' });
  return new WebSocket(`ws://127.0.0.1:${made.app.port}/ws`, { headers: sessionHeader });
}

describe('/ws', () => {
  it('talks to the handler, which knows its session', async () => {
    made = testApp({
      websocketHandler: (socket, context) => {
        socket.on('message', (data) => socket.send(`${context.sessionId} ${(data as Buffer).toString()}`));
      },
    });
    const client = await connect();
    await once(client, 'open');
    client.send('hi');
    const [message] = (await once(client, 'message')) as [Buffer];
    expect(message.toString()).toBe(`${sessionId} hi`);
    client.close();
    await once(client, 'close');
  });

  it('closes with 1011 when the handler fails', async () => {
    made = testApp();
    made.app.websocket(async () => {
      await Promise.resolve();
      throw new Error('boom');
    });
    const [code] = (await once(await connect(), 'close')) as [number];
    expect(code).toBe(1011);
  });

  it('aborts the signal when the peer goes, and closes open sockets with the app', async () => {
    const aborted = Promise.withResolvers<void>();
    made = testApp({
      websocketHandler: (socket, { signal }) => {
        signal.addEventListener('abort', () => aborted.resolve(), { once: true });
        socket.send('ready');
      },
    });
    const client = await connect();
    await once(client, 'message');
    const closed = once(client, 'close');
    await made.app.close();
    const [code] = (await closed) as [number];
    expect(code).toBe(1005);
    await aborted.promise;
  });

  it('is not there without a handler', async () => {
    made = testApp();
    const client = await connect();
    const [error] = (await once(client, 'error')) as [Error];
    expect(error.message).toContain('404');
  });

  it('takes one handler only', () => {
    made = testApp({ websocketHandler: () => undefined });
    expect(() => made.app.websocket(() => undefined)).toThrow(/one WebSocket handler/);
  });
});
