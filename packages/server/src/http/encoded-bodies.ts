import type { FastifyInstance } from 'fastify';
import { RequestRefusal } from '../request/request-refusal.ts';

/**
 * Refuses bodies that would have to be unpacked first: a few kilobytes can become more than any limit. AgentCore passes no
 * `content-encoding` on, so only a caller that is none of its clients can send one.
 */
export function refuseEncodedBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (request) => {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || /^\s*(identity)?\s*$/i.test(encoding)) return;
    throw new RequestRefusal({
      code: 'ART_UNSUPPORTED_ENCODING',
      statusCode: 415,
      error: 'Unsupported content encoding',
      details: 'Send the body as it is, without a content-encoding header.',
    });
  });
}
