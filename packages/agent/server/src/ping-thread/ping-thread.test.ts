import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { AgentCoreRLApp } from '../agentcore-rl-app.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pingThreadBy, startThread } from './ping-thread.ts';
import { testApp, type TestApp } from './test-app.fixture.ts';

let made: TestApp;

afterEach(() => made.app.close());

function behind(start = startThread): AgentCoreRLApp {
  made = testApp({
    pingThread: () => pingThreadBy(start),
    invocationHandler: { process: () => 'served' },
  });
  return made.app;
}

async function post(port: number | undefined): Promise<unknown> {
  return (await fetch(`http://127.0.0.1:${port}/invocations`, { method: 'POST', body: '{}' })).json();
}

const warnings = (): Record<string, unknown>[] => made.lines.filter(({ level }) => level === 'WARNING');

describe('pingThread', () => {
  it('has the public address, and frees the port in the end', async () => {
    const app = behind();
    expect(app.port).toBeUndefined();
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app;
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(made.lines.map(({ message }) => message)).toContain(`Server listening at ${url}`);
    expect((app.fastify.server.address() as AddressInfo).port).not.toBe(port);
    expect(await post(port)).toBe('served');
    expect(await (await fetch(`${url}/ping`)).text()).toMatch(/^\{"status":"Healthy"/);
    await app.close();
    expect(app.port).toBeUndefined();
    // Not by taking the port: another process may have got it by now.
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  it('lets go of the port also where only the HTTP server is closed', async () => {
    const app = behind();
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    await app.fastify.close();
    expect(app.port).toBeUndefined();
    await vi.waitFor(() => expect(fetch(url)).rejects.toThrow('fetch failed'));
  });

  it('names all addresses of the machine as the app does', async () => {
    const app = behind();
    const url = await app.listen({ port: 0 });
    expect(url).toBe(`http://127.0.0.1:${app.port}`);
    expect(made.lines.map(({ message }) => message)).toContain(
      `Server listening at ${url} (and all other addresses of this machine)`,
    );
    // Not on loopback, where a page may be anybody's.
    const headers = { origin: 'https://example.com' };
    expect((await fetch(`${url}/ping`, { headers })).status).toBe(200);
    const answer = await fetch(`${url}/invocations`, { method: 'POST', body: '{}', headers });
    expect(answer.status).toBe(200);
  });

  it('refuses pages of other machines where the public address is loopback', async () => {
    const url = await behind().listen({ port: 0, host: '127.0.0.1' });
    const headers = { origin: 'https://example.com' };
    const answer = await fetch(`${url}/invocations`, { method: 'POST', body: '{}', headers });
    expect(answer.status).toBe(403);
  });

  it('reports a taken port as the app does, and leaves nothing open', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const app = behind();
    await expect(app.listen({ host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'ART_PORT_TAKEN',
      cause: {
        code: 'EADDRINUSE',
        syscall: 'listen',
        address: '127.0.0.1',
        port,
        message: `listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
      },
    });
    expect(app.fastify.server.listening).toBe(false);
    holder.close();
  });

  it('leaves the app to itself where there are no threads', async () => {
    const app = behind(() => {
      throw new Error('no threads here');
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    expect(await post(app.port)).toBe('served');
    expect(warnings()).toMatchObject([
      {
        message: expect.stringContaining('No thread can be started') as string,
        errorMessage: 'no threads here',
      },
    ]);
  });

  it('leaves the app to itself where the thread does not come as far as to listen', async () => {
    const program = 'throw new Error("no memory here")';
    const app = behind(() => new Worker(program, { eval: true }));
    await app.listen({ port: 0, host: '127.0.0.1' });
    expect(await post(app.port)).toBe('served');
    expect(warnings()).toMatchObject([
      {
        message: expect.stringContaining('No thread can be started') as string,
        errorMessage: 'no memory here',
      },
    ]);
  });

  it('has its port taken over when it is lost', async () => {
    let worker: Worker | undefined;
    const app = behind((start) => (worker = startThread(start)));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app;
    expect(await post(port)).toBe('served');
    await worker!.terminate();
    await vi.waitFor(async () => expect(await post(port)).toBe('served'));
    expect(warnings()).toMatchObject([
      {
        message: expect.stringContaining('was lost') as string,
        errorMessage: 'The thread that answers pings ended.',
      },
    ]);
    expect(app.port).toBe(port);
  });
});
