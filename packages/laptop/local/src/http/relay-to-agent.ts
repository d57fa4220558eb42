import { type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { arrivedEvents, pause, isJsonObject } from '@art/ground';
import { ServiceFault } from '../service/service-fault.ts';
import type { Session } from '../session/session.ts';
import type { ReplyDelivery } from './delivery.ts';
import { containerErrorMessage } from './error-reply.ts';

const keptErrorBodyBytes = 16_384;
const longestWords = 2_000;
// A socket breaks a moment before the system reports the death of its process. Only an agent that lives on costs all of it.
const exitReportMs = 2_000;

/**
 * Passes a request to a session's agent and gives back its 2xx answer, whose body is for the caller to read.
 * @throws the signal's reason when the caller hangs up, ServiceFault 424 for everything else, as the service does: other statuses, a dead process, no answer in time.
 */
export async function relayToAgent(session: Session, delivery: ReplyDelivery): Promise<IncomingMessage> {
  const { port } = await session.whenReady();
  const response = await forward(port, delivery).catch(async (error: Error) => {
    throw error instanceof ServiceFault ? error : await deathOf(session, delivery.signal, error);
  });
  const httpStatus = response.statusCode ?? 0;
  if (httpStatus >= 200 && httpStatus < 300) return response;
  throw await refusalOf(session, response);
}

/** Refusal that the caller gets for an answer that is none; the agent's own words are kept in the session's log. */
export async function refusalOf(session: Session, response: IncomingMessage): Promise<ServiceFault> {
  const httpStatus = response.statusCode ?? 0;
  const body = httpStatus === 101 ? '' : await readCapped(response, keptErrorBodyBytes);
  await session.recordContainerError({ httpStatus, body });
  return refusedFault(httpStatus, body);
}

/**
 * Resolves when the answer's head is there; also with a 101, after which the agent speaks another protocol that nobody has asked for.
 * @throws ServiceFault for no answer in time, otherwise what broke the connection
 */
function forward(port: number, delivery: ReplyDelivery): Promise<IncomingMessage> {
  const { method, path, headers, body, signal, timeoutMs, streamTimeoutMs } = delivery;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // One socket per request: an agent that closes a kept one in the moment of its reuse would look like a crash.
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false, signal });
  const onTimeout = (): void => void outgoing.destroy(containerFault(504));
  let timer = setTimeout(onTimeout, timeoutMs);
  outgoing.once('close', () => clearTimeout(timer));
  outgoing.on('error', reject);
  // Without a listener Node closes the connection and tells nobody.
  outgoing.once('upgrade', (response, socket) => {
    socket.destroy();
    resolve(response);
  });
  outgoing.once('response', (response) => {
    // Without a listener an agent that dies in mid-answer would be an uncaught error of this process.
    response.on('error', () => {});
    if (response.headers['content-type']?.startsWith('text/event-stream') === true) {
      clearTimeout(timer);
      timer = setTimeout(onTimeout, streamTimeoutMs);
    }
    resolve(response);
  });
  outgoing.end(body);
  return promise;
}

/** Why the connection broke before an answer began. @throws the signal's reason where the caller has hung up */
export async function deathOf(session: Session, signal: AbortSignal, cause: Error): Promise<ServiceFault> {
  signal.throwIfAborted();
  // Once the end is known, the next request on this id gets a fresh process and not the remains of this one.
  await pause(exitReportMs, { signal: session.ending }).catch(() => {});
  await arrivedEvents();
  const { exit, endReason } = session.info();
  if (endReason === 'unhealthy') return unhealthyFault();
  const why = exit === undefined ? cause.message : `The agent's process ${exit}`;
  return containerFault(502, `${why}${endReason === undefined ? '' : ` (session ended: ${endReason})`}.`);
}

/** The first `limitBytes` of a stream as text; the rest is read and dropped, a broken stream gives what came. */
export async function readCapped(stream: Readable, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (size < limitBytes) chunks.push(chunk.subarray(0, limitBytes - size));
      size += chunk.length;
    }
  } catch {
    // What came so far is the answer.
  }
  return Buffer.concat(chunks).toString('utf8');
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
