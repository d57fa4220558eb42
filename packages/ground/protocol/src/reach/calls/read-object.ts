import { jsonObjectIn } from '@art/ground';
import { badWire } from '../wire/record.ts';

/**
 * A JSON object that came over the wire.
 * @param what it is, for messages
 * @throws ArtError `ART_REACH_WIRE`
 */
export function readObject(bytes: Buffer, what: string): Record<string, unknown> {
  const value = jsonObjectIn(bytes.toString());
  if (value === undefined) throw badWire(`a JSON object as ${what}`);
  return value;
}
