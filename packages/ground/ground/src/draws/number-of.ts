/** A number from 0 to below 1 of eight random bytes: 53 bits, as many as a number has. */
export function numberOf(bytes: Uint8Array): number {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
  return ((words[0]! >>> 5) * 2 ** 26 + (words[1]! >>> 6)) / 2 ** 53;
}
