import { runtimeHeaders } from '@art/protocol';
import type { FastifyReply } from 'fastify';
import type { ServiceFault } from '../service/service-fault.ts';

/** Answers with an error as the data plane spells it: the type in a header, the message in the body. */
export async function sendServiceFault(reply: FastifyReply, fault: ServiceFault): Promise<FastifyReply> {
  void reply.code(fault.httpStatus);
  if (fault.retryAfterMs !== undefined) {
    void reply.header('retry-after', String(Math.ceil(fault.retryAfterMs / 1_000)));
  }
  if (fault.gateway !== undefined) {
    const heading = `${fault.gateway.httpStatus} ${fault.gateway.title}`;
    return reply
      .header('content-type', 'text/html')
      .send(`<html><head><title>${heading}</title></head><body><h1>${heading}</h1></body></html>`);
  }
  return reply
    .header('content-type', 'application/json')
    .header(runtimeHeaders.errorType, fault.type)
    .send(JSON.stringify({ message: fault.message, reason: fault.reason }));
}
