import type { IncomingMessage } from 'node:http';
import { pause } from '@art/async';
import { isJsonObject } from '@art/protocol';
import { ServiceFault } from '../service/service-fault.ts';
import type { Session } from '../session/session.ts';
import type { Delivery } from './delivery.ts';
import { containerErrorMessage } from './error-reply.ts';
import { forwardRequest, readCapped } from './forward-request.ts';

const keptErrorBodyBytes = 16_384;
const longestWords = 2_000;
// A socket breaks a moment before the system reports the death of its process.
const exitReportMs = 250;

/**
 * Passes a request to a session's agent and gives back its 2xx answer.
 * @throws the signal's reason when the caller hangs up, ServiceFault 424 for everything else, as the service does: other statuses, a dead process, no answer in time.
 */
export async function relayToAgent(session: Session, request: Delivery): Promise<IncomingMessage> {
  const { port } = await session.whenReady();
  const outcome = await forwardRequest({ ...request, port });
  switch (outcome.kind) {
    case 'answered': {
      const { response } = outcome;
      const httpStatus = response.statusCode ?? 0;
      if (httpStatus >= 200 && httpStatus < 300) return response;
      const body = await readCapped(response, keptErrorBodyBytes);
      await session.recordContainerError({ httpStatus, body });
      throw refusedFault(httpStatus, body);
    }
    case 'switched':
      await session.recordContainerError({ httpStatus: 101, body: '' });
      throw containerFault(101);
    case 'timeout':
      throw containerFault(504);
    case 'died': {
      request.signal.throwIfAborted();
      // Once the end is known, the next request on this id gets a fresh process and not the remains of this one.
      await pause(exitReportMs, { signal: session.ending }).catch(() => {});
      const { exit, endReason } = session.info();
      if (endReason === 'unhealthy') throw unhealthyFault();
      const why = exit === undefined ? outcome.cause.message : `The agent's process ${exit}`;
      throw containerFault(502, `${why}${endReason === undefined ? '' : ` (session ended: ${endReason})`}.`);
    }
  }
}

function containerFault(httpStatus: number, localReason?: string): ServiceFault {
  const message = containerErrorMessage(httpStatus);
  return new ServiceFault({
    type: 'RuntimeClientError',
    message: localReason === undefined ? message : `${message} ${localReason}`,
  });
}

/**
 * The service says where to look for the agent's words. Here they are at hand, in the shape that both AWS apps give them;
 * whatever else an agent answers stays in the log.
 */
function refusedFault(httpStatus: number, body: string): ServiceFault {
  const said = errorOf(body);
  if (said === undefined) return containerFault(httpStatus);
  const message = `Received error (${httpStatus}) from runtime. The agent said: ${said.slice(0, longestWords)}`;
  return new ServiceFault({ type: 'RuntimeClientError', message });
}

function errorOf(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const error: unknown = isJsonObject(value) ? value['error'] : undefined;
    return typeof error === 'string' && error !== '' ? error : undefined;
  } catch {
    return undefined;
  }
}

function unhealthyFault(): ServiceFault {
  return new ServiceFault({
    type: 'RuntimeClientError',
    message: 'Runtime health check failed or timed out. Please make sure that health check is implemented.',
  });
}
