import { fillFresh } from './fresh-bytes.ts';

const bytes = new Uint8Array(8);
const words = new Uint32Array(bytes.buffer);

/** A number from 0 to below 1 of {@link fillFresh}, for jitter and choices; takes the place of `Math.random`. */
export function freshNumber(): number {
  fillFresh(bytes);
  // 53 bits, as many as a number has.
  return ((words[0]! >>> 5) * 2 ** 26 + (words[1]! >>> 6)) / 2 ** 53;
}
