import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { listenFailure } from './listen-address.ts';
import type { PingStatusDecision } from '../ping/ping-status.ts';
import type { PingDoor, PingThread } from '../ping/ping-thread.ts';

/**
 * Listens at an address: behind the ping thread where there is one.
 * @returns the URL, and what has the public port where that is not the app itself
 * @throws ArtError `ART_PORT_TAKEN`, `ART_INVALID_OPTION`, or another error of Node's `listen`
 */
export async function openListener(
  fastify: FastifyInstance,
  ping: PingStatusDecision,
  pingThread: PingThread | undefined,
  address: { host: string; port: number },
): Promise<{ url: string; door?: PingDoor }> {
  const line = listeningLine(address.host);
  let door: PingDoor | undefined;
  try {
    door = await pingThread?.open({
      ...address,
      server: fastify.server,
      refresh: () => ping.report(),
      mustRefresh: () => ping.hasHandler,
      warn: (message, error) => fastify.log.warn({ err: error }, message),
    });
    if (door === undefined) return { url: await fastify.listen({ ...address, listenTextResolver: line }) };
    const url = urlOf(door.address);
    await fastify.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => line(url) });
    door.serve((fastify.server.address() as AddressInfo).port);
    return { url, door };
  } catch (error) {
    await door?.close();
    throw listenFailure(error, address);
  }
}

// As Fastify names them.
function urlOf({ address, port }: AddressInfo): string {
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * The text of the line that says where the app listens. Fastify asks for one for each address of the machine, of which only
 * the first is told; the log leaves empty lines out.
 */
function listeningLine(host: string): (address: string) => string {
  let isTold = false;
  return (address) => {
    if (isTold) return '';
    isTold = true;
    return `Server listening at ${address}${host === '0.0.0.0' ? ' (and all other addresses of this machine)' : ''}`;
  };
}
