import { parseJson } from '@art/ground';
import { ripEnvelopeField } from '@art/protocol';
import { RequestRefusal } from '../request/request-refusal.ts';

// `fatal` refuses what the default decoder would replace by U+FFFD; a byte order mark is dropped, as Python does.
const utf8 = new TextDecoder('utf-8', { fatal: true });

// What addresses a rollout or an invocation must mean one thing to every reader. In the rest of a payload the last of two members counts,
// as for the Python app.
const strictNames = { uniqueIn: ['_rollout', ripEnvelopeField] };

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
    const details = 'The request body is not valid UTF-8.';
    throw new RequestRefusal(400, 'ART_JSON_PARSE', 'Invalid encoding', { details, cause });
  }
  try {
    return parseJson(text, { strict: strictNames });
  } catch (cause) {
    // Without its excerpt: a body that cannot be read may have secrets in it, and this goes into the log.
    const details = (cause as Error).message.replace(/, near .*$/s, '.');
    throw new RequestRefusal(400, 'ART_JSON_PARSE', 'Invalid JSON', { details, cause });
  }
}
