import { once } from 'node:events';
import { Agent, createServer, request, type ClientRequest, type Server } from 'node:http';
import { Agent as TlsAgent, createServer as createTlsServer, request as tlsRequest } from 'node:https';
import { type AddressInfo, type Server as NetServer, createServer as createNetServer } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { whenRequestLeaves } from './when-request-leaves.ts';

// Ciphers that need no certificate.
const anonymous = { ciphers: 'aNULL:@SECLEVEL=0', maxVersion: 'TLSv1.2', rejectUnauthorized: false } as const;
const servers: (Server | NetServer)[] = [];
const agents: Agent[] = [];

afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function portOf(server: Server | NetServer): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Sends it; resolves to what happened, in order. */
async function fate(outgoing: ClientRequest, seen: string[]): Promise<string[]> {
  whenRequestLeaves(outgoing, () => seen.push('left'));
  await new Promise<void>((resolve) => {
    outgoing.once('error', () => resolve());
    outgoing.once('response', (response) => response.resume().once('end', resolve));
    outgoing.end('body');
  });
  return seen.splice(0);
}

it.each([
  ['http', createServer(), new Agent({ keepAlive: true }), request],
  ['https', createTlsServer(anonymous), new TlsAgent({ keepAlive: true, ...anonymous }), tlsRequest],
])(
  'tells before %s brings a byte to the server, on a new connection and on an old one',
  async (_, server, agent, send) => {
    agents.push(agent);
    const seen: string[] = [];
    server.on('request', (incoming, response) => {
      seen.push('arrived');
      incoming.resume();
      response.end();
    });
    const options = { port: await portOf(server), host: '127.0.0.1', method: 'POST', agent };
    expect(await fate(send(options), seen)).toEqual(['left', 'arrived']);
    expect(await fate(send(options), seen)).toEqual(['left', 'arrived']);
  },
);

it('does not tell what found no server, or no handshake', async () => {
  const deaf = await portOf(createNetServer((socket) => socket.destroy()));
  const closing = createNetServer();
  const closed = await portOf(closing);
  await new Promise((resolve) => servers.pop()!.close(resolve));
  const host = '127.0.0.1';
  expect(await fate(request({ host, port: closed }), [])).toEqual([]);
  expect(await fate(tlsRequest({ host, port: deaf, ...anonymous }), [])).toEqual([]);
});

it('does not tell what is aborted while it waits for a connection', async () => {
  const agent = new Agent({ maxSockets: 1 });
  agents.push(agent);
  const arrived = vi.fn<() => void>();
  const server = createServer(arrived);
  const port = await portOf(server);
  const abort = new AbortController();
  const options = { host: '127.0.0.1', port, method: 'POST', agent, signal: abort.signal };
  const seen: string[] = [];
  const first = fate(request(options), seen);
  const second = fate(request(options), []);
  await vi.waitFor(() => expect(arrived).toHaveBeenCalledOnce());
  abort.abort();
  expect(await Promise.all([first, second])).toEqual([['left'], []]);
  server.closeAllConnections();
});
