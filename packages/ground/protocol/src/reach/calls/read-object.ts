import { isJsonObject } from '@art/ground';
import { badWire } from '../wire/record.ts';

/**
 * A JSON object that came over the wire.
 * @param what it is, for messages
 * @throws ArtError `ART_REACH_WIRE`
 */
export function readObject(bytes: Buffer, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    value = undefined;
  }
  if (!isJsonObject(value)) throw badWire(`a JSON object as ${what}`);
  return value;
}
