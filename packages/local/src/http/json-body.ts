import { isJsonObject, parseJson, type JsonObject } from '@art/protocol';
import { ServiceFault } from '../service/service-fault.ts';

/**
 * A request body as a JSON object; none at all counts as an empty one.
 * @throws ServiceFault 400, also for text that is not UTF-8 and for a name that comes twice: two readers of such a body may
 * understand different things.
 */
export function jsonBody(body: Buffer | undefined): JsonObject {
  if (body === undefined || body.length === 0) return {};
  let value: unknown;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    if (text.trim() === '') return {};
    value = parseJson(text);
  } catch {
    throw cannotParse('The request body is not JSON in UTF-8');
  }
  if (!isJsonObject(value)) throw cannotParse('The request body is not a JSON object');
  if (countWritten(text) !== countMembers(value)) {
    throw cannotParse('The request body has the same name twice in one object');
  }
  return value as JsonObject;
}

/** Names with their colon, in a text that is known to be JSON. */
function countWritten(text: string): number {
  const strings = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"[ \t\n\r]*:?/g) ?? [];
  return strings.filter((string) => string.endsWith(':')).length;
}

function countMembers(root: unknown): number {
  let members = 0;
  // A list of what is left instead of a recursion: the depth is up to the sender.
  const left = [root];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const inner: unknown[] = Object.values(value);
    if (!Array.isArray(value)) members += inner.length;
    for (const one of inner) left.push(one);
  }
  return members;
}

function cannotParse(message: string): ServiceFault {
  return new ServiceFault({ type: 'ValidationException', reason: 'CannotParse', message });
}
