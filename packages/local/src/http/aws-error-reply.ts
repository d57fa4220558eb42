import { runtimeHeaders } from '@art/protocol';
import type { FastifyReply } from 'fastify';
import type { ServiceFault } from '../service/service-fault.ts';

/** Answers with an error as the data plane spells it: the type in a header, the message in the body. */
export async function sendServiceFault(reply: FastifyReply, fault: ServiceFault): Promise<FastifyReply> {
  return reply
    .code(fault.httpStatus)
    .header('content-type', 'application/json')
    .header(runtimeHeaders.errorType, fault.type)
    .send(JSON.stringify({ message: fault.message, reason: fault.reason }));
}
