import { Readable } from 'node:stream';
import { describeThrown, stringifyJson } from '@art/protocol';
import type { FastifyReply } from 'fastify';
import { type RequestContext, runWithContext } from '../request/request-context.ts';

/** What a streaming handler may yield to set more than the data of an event. */
export interface EventStreamMessage {
  data: unknown;
  event?: string;
  id?: string;
  /** Milliseconds that the reader should wait before it connects again. */
  retry?: number;
}

type Chunks = AsyncIterator<unknown> | Iterator<unknown>;

/** Whether a handler's return value is a stream of events: what a generator function returns, sync or async. */
export function isEventSource(value: unknown): value is Chunks {
  if (typeof value !== 'object' || value === null) return false;
  const candidate = value as Partial<AsyncGenerator> & Partial<Iterable<unknown>>;
  return (
    typeof candidate.next === 'function' &&
    typeof candidate.return === 'function' &&
    (typeof candidate[Symbol.asyncIterator] === 'function' ||
      typeof candidate[Symbol.iterator] === 'function')
  );
}

/** Sends what a generator yields as Server-Sent Events. The generator is closed when the reader goes away. */
export function replyWithEvents(reply: FastifyReply, chunks: Chunks, context: RequestContext): FastifyReply {
  reply.header('content-type', 'text/event-stream').header('cache-control', 'no-cache');
  const sent = reply.send(Readable.from(eventTexts(chunks, context)));
  // The reader learns at once that it is connected, however long the first event takes.
  if (!reply.raw.headersSent) reply.raw.flushHeaders();
  return sent;
}

async function* eventTexts(chunks: Chunks, context: RequestContext): AsyncGenerator<string> {
  let finished = false;
  try {
    for (;;) {
      const step = await runWithContext(context, () => chunks.next());
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
    if (!finished) await runWithContext(context, () => chunks.return?.());
  }
}

/**
 * One event: text goes out as it is, an object with `data` sets the event's fields (both as AWS's TypeScript SDK does
 * it), anything else is one line of JSON (as AgentCore's contract and the Python SDK have it).
 * @throws ArtError `ART_JSON_WRITE`
 */
export function formatEvent(chunk: unknown): string {
  if (typeof chunk === 'string') return `${dataLines(chunk)}\n`;
  if (Buffer.isBuffer(chunk)) return `${dataLines(chunk.toString('utf8'))}\n`;
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
