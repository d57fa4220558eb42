import { hash } from 'node:crypto';
import { ArtError, stringifyJson } from '@art/ground';

/** 96 bits: two different payloads of a run never share a digest. */
const digestLength = 16;
// A payload that JSON cannot hold is refused anew in every process.
const unwritable = '-'.repeat(digestLength);

/** Tells whether a payload is the same as before, without keeping it. */
export function payloadDigest(payload: unknown): string {
  let text: string;
  try {
    text = stringifyJson(payload);
  } catch (error) {
    if (ArtError.isInstance(error)) return unwritable;
    throw error;
  }
  return hash('sha256', text, 'base64url').slice(0, digestLength);
}
