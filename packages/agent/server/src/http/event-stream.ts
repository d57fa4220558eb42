import { Readable } from 'node:stream';
import { describeThrown, stringifyJson } from '@art/ground';
import type { FastifyReply } from 'fastify';
import { type HandlerStream, StreamSteps } from '../handler/handler-stream.ts';
import type { RequestContext } from '../request/request-context.ts';

/** The event that a streaming handler may yield to set more than its data. */
export interface EventStreamMessage {
  data: unknown;
  event?: string;
  id?: string;
  /** Milliseconds that the reader should wait before it connects again. */
  retry?: number;
}

/** Sends what a stream yields as Server-Sent Events. It is closed when the reader goes away. */
export function replyWithEvents(
  reply: FastifyReply,
  stream: HandlerStream,
  context: RequestContext,
): FastifyReply {
  reply.header('content-type', 'text/event-stream').header('cache-control', 'no-cache');
  const sent = reply.send(Readable.from(eventTexts(new StreamSteps(stream, context), context)));
  // The reader learns at once that it is connected, however long the first event takes.
  if (!reply.raw.headersSent) reply.raw.flushHeaders();
  return sent;
}

async function* eventTexts(steps: StreamSteps, context: RequestContext): AsyncGenerator<string> {
  let finished = false;
  try {
    for (;;) {
      const step = await steps.next();
      if (step.done === true) {
        finished = true;
        return;
      }
      yield formatEvent(step.value);
    }
  } catch (error) {
    context.log.error({ err: error }, 'The stream ended with an error');
    yield formatEvent({ event: 'error', data: streamError(error) });
  } finally {
    if (!finished) await steps.close();
  }
}

/**
 * One event: text goes out as it is, an object with `data` sets the event's fields (both as AWS's TypeScript SDK does
 * it), anything else is one line of JSON (as AgentCore's contract and the Python SDK have it).
 * @throws ArtError `ART_JSON_WRITE`
 */
export function formatEvent(chunk: unknown): string {
  if (typeof chunk === 'string') return `${dataLines(chunk)}\n`;
  if (chunk instanceof Uint8Array) return `${dataLines(Buffer.from(chunk).toString('utf8'))}\n`;
  if (!isMessage(chunk)) return `${dataLines(stringifyJson(chunk ?? null))}\n`;
  const id = chunk.id === undefined ? '' : `id: ${oneLine(chunk.id)}\n`;
  const event = chunk.event === undefined ? '' : `event: ${oneLine(chunk.event)}\n`;
  const retry = chunk.retry === undefined ? '' : `retry: ${oneLine(chunk.retry)}\n`;
  return `${id}${event}${dataLines(stringifyJson(chunk.data ?? null))}${retry}\n`;
}

const messageFields = new Set(['data', 'event', 'id', 'retry']);

function isMessage(chunk: unknown): chunk is EventStreamMessage {
  return (
    typeof chunk === 'object' &&
    chunk !== null &&
    'data' in chunk &&
    Object.keys(chunk).every((field) => messageFields.has(field))
  );
}

function dataLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join('');
}

// A line break inside a field would start another one.
function oneLine(value: string | number): string {
  return String(value).replaceAll(/[\r\n\0]/g, ' ');
}

// Readers of the Python app look for these three.
function streamError(error: unknown): Record<string, string> {
  const { name, message } = describeThrown(error);
  return {
    error: message,
    error_type: name,
    message: 'An error occurred during streaming',
  };
}
