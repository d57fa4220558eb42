import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { RequestRefusal } from '../request/request-refusal.ts';

const loopbackName = /^(127(\.\d{1,3}){3}|\[::1\]|([a-z0-9-]+\.)*localhost)$/i;

/**
 * Refuses, before a body is read:
 * - web pages of other machines, where the app listens on loopback. It is a developer's then: any page in the browser there can
 *   reach it, and so spend the keys of its model. Browsers name the origin of what a page posts; pages of this machine, such as a
 *   user interface under development, may ask.
 * - bodies that would have to be unpacked first: a few kilobytes can become more than any limit. AgentCore passes no
 *   `content-encoding` on, so only a caller that is none of its clients can send one.
 */
export function refuseRequests(fastify: FastifyInstance, publicAddress: () => AddressInfo | undefined): void {
  fastify.addHook('onRequest', async ({ headers }) => {
    const { origin, 'content-encoding': encoding = '' } = headers;
    if (origin !== undefined && !isOnThisMachine(origin) && isOnLoopback(publicAddress()))
      throw new RequestRefusal(403, 'ART_WEB_PAGE_REFUSED', 'Web pages are not answered', {
        details: `The agent listens on loopback, and the request comes from a page of ${origin.slice(0, 100)}. Call it from a program, or from a page of this machine.`,
      });
    if (!/^\s*(identity)?\s*$/i.test(encoding))
      throw new RequestRefusal(415, 'ART_UNSUPPORTED_ENCODING', 'Unsupported content encoding', {
        details: 'Send the body as it is, without a content-encoding header.',
      });
  });
}

function isOnThisMachine(origin: string): boolean {
  return URL.canParse(origin) && loopbackName.test(new URL(origin).hostname);
}

function isOnLoopback({ address }: Partial<AddressInfo> = {}): boolean {
  return address !== undefined && (address.startsWith('127.') || address === '::1');
}
