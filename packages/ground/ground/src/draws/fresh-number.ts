import { fillFresh } from './fresh-bytes.ts';
import { numberOf } from './number-of.ts';

const bytes = new Uint8Array(8);

/** A number from 0 to below 1 of {@link fillFresh}, for jitter and choices; takes the place of `Math.random`. */
export function freshNumber(): number {
  fillFresh(bytes);
  return numberOf(bytes);
}
