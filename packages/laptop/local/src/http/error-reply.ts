import { maxPayloadBytes, runtimeHeaders } from '@art/protocol';
import type { FastifyError, FastifyReply } from 'fastify';
import { AgentStartError } from '../process/agent-start-error.ts';
import { cannotParse, invalidField, ServiceFault } from '../service/service-fault.ts';
import { SessionEndedError } from '../session/session-state.ts';

/** The answer to whatever a route threw. */
export function faultOfError(error: unknown, initTimeoutMs: number): ServiceFault {
  if (error instanceof ServiceFault) return error;
  if (error instanceof AgentStartError) return startFault(error, initTimeoutMs);
  if (error instanceof SessionEndedError) {
    return new ServiceFault({
      type: 'RuntimeClientError',
      message: `${containerErrorMessage(502)} ${error.message}`,
    });
  }
  const { code, message } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return invalidField(
      `The payload is larger than this operation takes (InvokeAgentRuntime: ${maxPayloadBytes} bytes)`,
    );
  }
  if (code?.startsWith('FST_ERR_CTP_') === true) {
    return cannotParse(message ?? code);
  }
  return new ServiceFault({ type: 'InternalServerException', message: message ?? String(error) });
}

/** AWS's own words; the service appends nothing to them. */
export function containerErrorMessage(httpStatus: number): string {
  return `Received error (${httpStatus}) from runtime. Please check your CloudWatch logs for more information.`;
}

// The service calls a crash at start a matter of time as well. Anyone who reads it here is to mend the agent: what happened comes first.
function startFault(error: AgentStartError, initTimeoutMs: number): ServiceFault {
  const aws = `Runtime initialization time exceeded. Please make sure that initialization completes in ${initTimeoutMs / 1_000}s.`;
  const hasEnded = error.cause !== undefined || (error.exit !== undefined && error.exit.signal === null);
  const log = `Log: ${error.log.path}`;
  return new ServiceFault({
    type: 'RuntimeClientError',
    message: hasEnded
      ? `The agent did not start: ${error.message}\n${log}\nAgentCore's words for it are "${aws}"`
      : `${aws} ${error.message}\n${log}`,
  });
}

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
