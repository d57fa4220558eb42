import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PingBoard } from '../ping-board.ts';
import { listenBehindFrontDoor } from './listen-behind-front-door.ts';
import { type FrontDoor, type FrontDoorOptions, openFrontDoor } from './open-front-door.ts';

const warn = vi.fn<(message: string, error: unknown) => void>();
let server: Server;

beforeEach(() => {
  warn.mockReset();
  server = createServer((_request, response) => response.end('served'));
});

afterEach(async () => {
  if (!server.listening) return;
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

function behind(openDoor?: typeof openFrontDoor): void {
  listenBehindFrontDoor(server, {
    board: new PingBoard(),
    refresh: async () => undefined,
    mustRefresh: () => false,
    warn,
    ...(openDoor === undefined ? {} : { openDoor }),
  });
}

async function listening(): Promise<number> {
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function get(port: number, path = '/'): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).text();
}

describe('listenBehindFrontDoor', () => {
  it('gives the public address, and frees the port in the end', async () => {
    behind();
    expect(server.address()).toBeNull();
    const port = await listening();
    expect(await get(port)).toBe('served');
    expect(await get(port, '/ping')).toMatch(/^\{"status":"Healthy"/);
    await new Promise((resolve) => {
      server.close(resolve);
    });
    expect(server.address()).toBeNull();
    const holder = createNetServer().listen(port, '127.0.0.1');
    await once(holder, 'listening');
    holder.close();
  });

  it('reports a taken port as Node does', async () => {
    const holder = createNetServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    behind();
    server.listen({ host: '127.0.0.1', port });
    const [error] = (await once(server, 'error')) as [NodeJS.ErrnoException];
    expect(error).toMatchObject({
      code: 'EADDRINUSE',
      syscall: 'listen',
      address: '127.0.0.1',
      port,
      message: `listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
    });
    expect(server.listening).toBe(false);
    holder.close();
  });

  it('listens by itself where there are no threads', async () => {
    const error = new Error('no threads here');
    behind(async () => ({ kind: 'unavailable', error }));
    const port = await listening();
    expect(await get(port)).toBe('served');
    expect(warn.mock.calls).toEqual([[expect.stringContaining('No thread can be started'), error]]);
  });

  it('takes the port over when the thread is lost', async () => {
    let options: FrontDoorOptions | undefined;
    let door: FrontDoor | undefined;
    behind(async (given) => {
      const opening = await openFrontDoor(given);
      options = given;
      if (opening.kind === 'open') ({ door } = opening);
      return opening;
    });
    const port = await listening();
    expect(await get(port, '/ping')).toContain('Healthy');
    // As when the thread has failed: it is gone, and nobody closed it.
    await door!.close(0);
    options!.onLost(new Error('gone'));
    await vi.waitFor(async () => expect(await get(port)).toBe('served'));
    expect(warn.mock.calls).toEqual([[expect.stringContaining('was lost'), new Error('gone')]]);
    expect((server.address() as AddressInfo).port).toBe(port);
  });

  it('leaves other ways to listen alone', async () => {
    const openDoor = vi.fn<typeof openFrontDoor>();
    behind(openDoor);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    expect(await get((server.address() as AddressInfo).port)).toBe('served');
    expect(openDoor).not.toHaveBeenCalled();
  });
});
