import type { FastifyReply } from 'fastify';

/** A signal that aborts when the caller closes the connection before its answer is complete. */
export function callerHangUp(reply: FastifyReply): AbortSignal {
  const hangUp = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) hangUp.abort(new Error('The caller closed the connection.'));
  });
  return hangUp.signal;
}
