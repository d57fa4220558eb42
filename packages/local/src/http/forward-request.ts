import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { Readable } from 'node:stream';

export interface ForwardRequest {
  port: number;
  method: 'GET' | 'POST';
  path: string;
  headers: OutgoingHttpHeaders;
  body?: Buffer | undefined;
  /** Longest time until the whole answer is there. */
  timeoutMs: number;
  /** Longest time of an answer that is an event stream. */
  streamTimeoutMs: number;
  /** The caller has hung up. */
  signal: AbortSignal;
}

/**
 * `died`: the connection broke before an answer began. `timeout`: no answer in time. `switched`: the agent answered 101 and
 * speaks another protocol from there on, which nobody has asked for.
 */
export type ForwardOutcome =
  | { kind: 'answered'; response: IncomingMessage }
  | { kind: 'switched' }
  | { kind: 'died'; cause: Error }
  | { kind: 'timeout' };

/** Passes one request to an agent. Resolves when the answer's head is there; the body is for the caller to read. */
export function forwardRequest(input: ForwardRequest): Promise<ForwardOutcome> {
  const { promise, resolve } = Promise.withResolvers<ForwardOutcome>();
  const { port, method, path, headers, body, signal } = input;
  // One socket per request: an agent that closes a kept one in the moment of its reuse would look like a crash.
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false, signal });
  let timedOut = false;
  const onTimeout = (): void => {
    timedOut = true;
    outgoing.destroy(new Error('The agent took too long.'));
  };
  let timer = setTimeout(onTimeout, input.timeoutMs);
  outgoing.once('close', () => clearTimeout(timer));
  outgoing.on('error', (cause) => resolve(timedOut ? { kind: 'timeout' } : { kind: 'died', cause }));
  // Without a listener Node closes the connection and tells nobody.
  outgoing.once('upgrade', (_response, socket) => {
    socket.destroy();
    resolve({ kind: 'switched' });
  });
  outgoing.once('response', (response) => {
    // Without a listener an agent that dies in mid-answer would be an uncaught error of this process.
    response.on('error', () => {});
    if (response.headers['content-type']?.startsWith('text/event-stream') === true) {
      clearTimeout(timer);
      timer = setTimeout(onTimeout, input.streamTimeoutMs);
    }
    resolve({ kind: 'answered', response });
  });
  outgoing.end(body);
  return promise;
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
