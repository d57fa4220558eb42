import { parseJson } from '@art/protocol';
import { RequestRefusal } from './request-refusal.ts';

// `fatal` refuses what the default decoder would replace by U+FFFD; a byte order mark is dropped, as Python does.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the bytes of a request as JSON, whatever their content type says: AgentCore passes on the caller's header, and
 * AWS's SDKs send `application/octet-stream` or none.
 * @throws RequestRefusal 400 with the bodies of the Python app: `Invalid encoding`, `Invalid JSON`.
 */
export function parseBody(body: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(body);
  } catch (cause) {
    throw new RequestRefusal({
      code: 'ART_JSON_PARSE',
      statusCode: 400,
      error: 'Invalid encoding',
      details: 'The request body is not valid UTF-8.',
      cause,
    });
  }
  try {
    return parseJson(text);
  } catch (cause) {
    throw new RequestRefusal({
      code: 'ART_JSON_PARSE',
      statusCode: 400,
      error: 'Invalid JSON',
      details: (cause as Error).message,
      cause,
    });
  }
}
