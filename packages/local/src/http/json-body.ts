import { isJsonObject, parseJson, type JsonObject } from '@art/protocol';
import { ServiceFault } from '../service/service-fault.ts';

/**
 * A request body as a JSON object; none at all counts as an empty one.
 * @throws ServiceFault 400
 */
export function jsonBody(body: Buffer | undefined): JsonObject {
  const text = body?.toString('utf8') ?? '';
  if (text.trim() === '') return {};
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Not JSON at all is refused like JSON of another shape.
  }
  throw new ServiceFault({
    type: 'ValidationException',
    reason: 'CannotParse',
    message: 'The request body is not a JSON object',
  });
}
