import { parseJson, parseRipRequest, ripEnvelopeField, type RipRequest } from '@art/protocol';

/** Parsing more than this for a log would slow down what it observes. */
const largestReadBytes = 1_048_576;

/** What a payload asks for by the Runtime Invocation Protocol; undefined without it, and in one of more than 1 MiB. */
export function ripOfPayload(body: Buffer | undefined): RipRequest | undefined {
  if (body === undefined || body.length > largestReadBytes || !body.includes(`"${ripEnvelopeField}"`))
    return undefined;
  try {
    return parseRipRequest(parseJson(body.toString('utf8')));
  } catch {
    // What the agent makes of such a payload is not for this side to say.
    return undefined;
  }
}
