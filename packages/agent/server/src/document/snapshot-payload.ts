import { ArtError, copyJson, type JsonCopy, type JsonTextMap } from '@art/ground';

/**
 * The copy of a payload that goes into the result document. It is taken before a schema or the handler can change anything, as
 * trainers look in the document for what they sent; texts are shared with the payload, so it is cheaper to keep than its JSON.
 * Python callers may send `NaN` or `Infinity`, which no strict JSON document can hold: in the copy they are strings, while the
 * handler gets the numbers.
 * @param mapText takes secrets out of it
 * @throws ArtError `ART_INVALID_PAYLOAD` when the payload cannot be part of a document
 */
export function snapshotPayload(payload: Record<string, unknown>, mapText?: JsonTextMap): JsonCopy {
  try {
    return copyJson(payload, { mapText, path: ['payload'] });
  } catch (cause) {
    if (!ArtError.isInstance(cause)) throw cause;
    throw new ArtError({
      code: 'ART_INVALID_PAYLOAD',
      message: `Expected a payload that a result document can hold. ${cause.message}`,
      cause,
    });
  }
}
