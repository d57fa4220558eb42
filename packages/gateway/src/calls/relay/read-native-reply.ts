import { isJsonObject, parseJson } from '@art/protocol';
import type { TranslatedWire } from '@art/model-wires';
import type { NativeEnd } from './native-events.ts';
import { readMessage } from './read-message.ts';
import { readResponse } from './read-response.ts';

/** Reads a whole answer of an engine's own wire. Never throws: what cannot be read is no answer, and goes on all the same. */
export function readNativeReply(wire: TranslatedWire, bytes: Uint8Array): NativeEnd {
  const document = objectOf(bytes);
  if (document === undefined) return { answer: undefined, ended: false };
  const answer = wire === 'responses' ? readResponse(document) : readMessage(document);
  return { answer, ended: answer !== undefined };
}

function objectOf(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const document = parseJson(Buffer.from(bytes).toString());
    return isJsonObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}
