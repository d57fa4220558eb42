import { stringifyJson } from '@art/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createRequestContext, sessionIdOf } from '../request/create-request-context.ts';
import { runWithContext } from '../request/context-storage.ts';
import { isEventSource, replyWithEvents } from '../http/event-stream.ts';
import type { OpenInvocations } from './open-invocations.ts';
import type { PreparedHandler } from '../handler/prepared-handler.ts';

export interface InvocationCall {
  payload: unknown;
  handler: PreparedHandler;
  open: OpenInvocations;
}

/** Answers production traffic with what the handler returns: JSON, whatever the Accept header says, or an event stream. */
export async function answerInvocation(
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, handler, open }: InvocationCall,
): Promise<FastifyReply> {
  const input = await handler.validate(payload);
  const context = createRequestContext(request, {
    sessionId: sessionIdOf(request),
    signal: open.begin(reply),
  });
  const result = await runWithContext(context, async () => handler.process(input, context));
  if (isEventSource(result)) return replyWithEvents(reply, result, context);
  // Python answers `null` where a function returns nothing.
  return reply.header('content-type', 'application/json').send(stringifyJson(result ?? null));
}
