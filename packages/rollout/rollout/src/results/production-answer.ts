import { ArtError, describeValue, isJsonObject, parseJson } from '@art/ground';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** Members in which streams carry a piece of text, as AWS's templates and the frameworks write them. */
const textMembers = [
  'delta',
  'textDelta',
  'text',
  'data',
  'content',
  'token',
  'response',
  'answer',
  'message',
];

/**
 * Reads what an agent answers its users, as the result of a rollout: JSON as it is; a stream of events as `{ response, events }`, the
 * pieces of text joined; plain text as `{ response }`. A stream with an error is the document of a failed handler.
 * @throws ArtError `ART_INVALID_REPLY` for an empty answer, a page for browsers and a stream without events
 */
export function readProductionAnswer(body: string): unknown {
  const start = body.trimStart();
  if (/^(?:data|event|id|retry)?:/.test(start)) return resultOfEvents(eventsIn(body), body);
  try {
    return parseJson(body);
  } catch (cause) {
    const isText = start !== '' && !/^(?:<!doctype|<html|<\?xml)/i.test(start) && !/^[[{]/.test(start);
    if (isText) return { response: body };
    throw new ArtError({
      code: 'ART_INVALID_REPLY',
      message: `Expected the agent to answer with JSON, text or a stream of events, got ${describeValue(body)}.`,
      cause,
    });
  }
}

function eventsIn(body: string): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  // A last event may lack its blank line.
  parser.feed(`${body}\n\n`);
  return events.filter(({ data }) => data !== '[DONE]');
}

function resultOfEvents(events: readonly EventSourceMessage[], body: string): unknown {
  if (events.length === 0)
    throw new ArtError({
      code: 'ART_INVALID_REPLY',
      message: `Expected a stream with events, got ${describeValue(body)}.`,
    });
  const values = events.map(({ data }) => valueOf(data));
  const failed = events.findIndex(({ event }, at) => event === 'error' || isError(values[at]));
  if (failed !== -1) return { status_code: 500, stop_reason: errorText(values[failed]) };
  // One object is an answer that happens to come as an event.
  if (values.length === 1 && isJsonObject(values[0])) return values[0];
  return { response: values.map(textOf).join(''), events: values };
}

function valueOf(data: string): unknown {
  try {
    return parseJson(data);
  } catch {
    return data;
  }
}

function isError(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const error = value['error'];
  return value['type'] === 'error' || (error !== undefined && error !== null && error !== false);
}

function errorText(value: unknown): string {
  if (!isJsonObject(value)) return String(value);
  const found = [value['message'], value['errorText'], value['error']].find(
    (text) => typeof text === 'string',
  );
  return typeof found === 'string' ? found : JSON.stringify(value);
}

/** The piece of text in one event; empty where it is about something else. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (!isJsonObject(value)) return '';
  for (const member of textMembers) {
    const text = value[member];
    if (typeof text === 'string') return text;
    if (member === 'delta' && isJsonObject(text)) return textOf(text);
  }
  return textOf(nested(value));
}

/** The inner object of an event of Bedrock's (`event.contentBlockDelta`) or OpenAI's (`choices[0].delta`). */
function nested(value: Readonly<Record<string, unknown>>): unknown {
  const { event, contentBlockDelta, choices } = value;
  if (isJsonObject(event)) return event;
  if (isJsonObject(contentBlockDelta)) return contentBlockDelta;
  const [first] = Array.isArray(choices) ? choices : [];
  return isJsonObject(first) ? first['delta'] : undefined;
}
