import { GrowingFloats } from './growing-floats.ts';
import type { JsonScanner } from './json-scanner.ts';
import { readNumber } from './read-number.ts';

/**
 * Reads an array of numbers and goes past it; what is no number (null, a text) is NaN in its place.
 * undefined, and past it all the same, where the value is no array.
 */
export function readNumbers(scanner: JsonScanner): Float64Array | undefined {
  if (scanner.peek() !== 0x5b) {
    scanner.skipValue();
    return undefined;
  }
  const values = new GrowingFloats();
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) values.push(readNumber(scanner));
  return values.toArray();
}
