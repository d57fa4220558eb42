import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { RequestRefusal } from '../request/request-refusal.ts';

const loopbackName = /^(127(\.\d{1,3}){3}|\[::1\]|([a-z0-9-]+\.)*localhost)$/i;

/**
 * Where the app listens on loopback, it is a developer's: any page in the browser there can reach it, and so spend the keys of
 * its model. Browsers name the origin of what a page posts; pages of this machine, such as a user interface under development,
 * may ask.
 */
export function refuseWebPages(fastify: FastifyInstance, publicAddress: () => AddressInfo | undefined): void {
  fastify.addHook('onRequest', async ({ headers: { origin } }) => {
    if (origin === undefined || isOnThisMachine(origin) || !isOnLoopback(publicAddress())) return;
    throw new RequestRefusal(403, 'ART_WEB_PAGE_REFUSED', 'Web pages are not answered', {
      details: `The agent listens on loopback, and the request comes from a page of ${origin.slice(0, 100)}. Call it from a program, or from a page of this machine.`,
    });
  });
}

function isOnThisMachine(origin: string): boolean {
  return URL.canParse(origin) && loopbackName.test(new URL(origin).hostname);
}

function isOnLoopback({ address }: Partial<AddressInfo> = {}): boolean {
  return address !== undefined && (address.startsWith('127.') || address === '::1');
}

/**
 * Refuses bodies that would have to be unpacked first: a few kilobytes can become more than any limit. AgentCore passes no
 * `content-encoding` on, so only a caller that is none of its clients can send one.
 */
export function refuseEncodedBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (request) => {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || /^\s*(identity)?\s*$/i.test(encoding)) return;
    throw new RequestRefusal(415, 'ART_UNSUPPORTED_ENCODING', 'Unsupported content encoding', {
      details: 'Send the body as it is, without a content-encoding header.',
    });
  });
}
