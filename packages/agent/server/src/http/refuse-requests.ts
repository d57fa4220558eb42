import type { AddressInfo } from 'node:net';
import { isLoopback, refusedCaller } from '@art/ground';
import type { FastifyInstance } from 'fastify';
import { RequestRefusal } from '../request/request-refusal.ts';

const callers = { allowedHosts: ['*'], pages: 'loopback' } as const;

/**
 * Refuses, before a body is read:
 * - web pages of other machines, where the app listens on loopback. It is a developer's then: any page in the browser there can
 *   reach it, and so spend the keys of its model. Pages of this machine, such as a user interface under development, may ask. The
 *   Host header is not looked at: AgentCore sends an internal name, and proxies send theirs.
 * - bodies that would have to be unpacked first: a few kilobytes can become more than any limit. AgentCore passes no
 *   `content-encoding` on, so only a caller that is none of its clients can send one.
 */
export function refuseRequests(fastify: FastifyInstance, publicAddress: () => AddressInfo | undefined): void {
  fastify.addHook('onRequest', async ({ raw }) => {
    const { origin = '', 'content-encoding': encoding = '' } = raw.headers;
    const host = publicAddress()?.address;
    if (host !== undefined && isLoopback(host) && refusedCaller(raw, { ...callers, host }) !== undefined)
      throw new RequestRefusal(403, 'ART_WEB_PAGE_REFUSED', 'Web pages are not answered', {
        details: `The agent listens on loopback, and the request comes from a page of ${origin.slice(0, 100)}. Call it from a program, or from a page of this machine.`,
      });
    if (!/^\s*(identity)?\s*$/i.test(encoding))
      throw new RequestRefusal(415, 'ART_UNSUPPORTED_ENCODING', 'Unsupported content encoding', {
        details: 'Send the body as it is, without a content-encoding header.',
      });
  });
}
