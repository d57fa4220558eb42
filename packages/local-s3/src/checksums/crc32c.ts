/** Castagnoli polynomial, bit-reversed: CRC-32C of RFC 3720, section 12.1. */
const polynomial = 0x82f6_3b78;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
  return value;
});

/** Continues `value` (0 at the start) over `chunk`, with the signature of `crc32` from node:zlib. */
export function crc32c(chunk: Uint8Array, value = 0): number {
  let crc = ~value;
  // An indexed loop: this runs over every byte of every body, and an iterator costs several times as much.
  for (let index = 0; index < chunk.length; index += 1) {
    crc = (table[(crc ^ (chunk[index] as number)) & 0xff] as number) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
