import { isJsonObject, parseJson, type JsonObject } from '@art/ground';
import { cannotParse } from '../service/service-fault.ts';

/**
 * A request body as a JSON object; none at all counts as an empty one.
 * @throws ServiceFault 400, also for text that is not UTF-8 and for a name that comes twice: two readers of such a body may
 * understand different things.
 */
export function jsonBody(body: Buffer | undefined): JsonObject {
  if (body === undefined || body.length === 0) return {};
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    value = text.trim() === '' ? {} : parseJson(text, { strict: true });
  } catch (error) {
    throw cannotParse(`The request body is not JSON in UTF-8: ${(error as Error).message}`);
  }
  if (!isJsonObject(value)) throw cannotParse('The request body is not a JSON object');
  return value as JsonObject;
}
