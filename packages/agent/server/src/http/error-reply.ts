import { ArtError, type ErrorCode, readMember } from '@art/ground';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestRefusal } from '../request/request-refusal.ts';

/** Answers with `{"error": ...}`, the shape of both AWS apps, and logs the cause: AgentCore hides the body from callers. */
export function replyWithError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const statusCode = statusOf(error);
  const body =
    ArtError.isInstance(error) && error instanceof RequestRefusal ? error.body : { error: messageOf(error) };
  const line = `Answered ${statusCode}: ${messageOf(error)}`;
  if (statusCode >= 500) request.log.error({ err: error }, line);
  else request.log.warn(line);
  const code = codeOf(error);
  if (code !== undefined) reply.header(errorCodeHeader, code);
  return reply.status(statusCode).header('content-type', 'application/json').send(JSON.stringify(body));
}

/** Carries the stable code of a refusal; the body has the shape of AWS's apps, which have no place for one. */
const errorCodeHeader = 'x-art-error-code';

function codeOf(error: unknown): ErrorCode | undefined {
  if (ArtError.isInstance(error)) return error.code;
  return readMember(error, 'code') === 'FST_ERR_CTP_BODY_TOO_LARGE' ? 'ART_INVALID_PAYLOAD' : undefined;
}

// A handler chooses its status as everywhere in Fastify: by throwing an error with `statusCode`.
function statusOf(error: unknown): number {
  const status = readMember(error, 'statusCode');
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599
    ? status
    : 500;
}

function messageOf(error: unknown): string {
  const message = readMember(error, 'message');
  if (typeof message === 'string') return message;
  return typeof error === 'string' ? error : 'The handler threw something that is not an Error';
}
