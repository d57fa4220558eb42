import { freshBytes } from './fresh-bytes.ts';
import { uuidOf } from './uuid-of.ts';

/** A UUID (version 4) of {@link freshBytes}. */
export function freshId(): string {
  return uuidOf(freshBytes(16));
}
