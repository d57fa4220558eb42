export interface RunningChecksum {
  update(chunk: Uint8Array): void;
  /** Once, after the last chunk. */
  digest(): Buffer;
}

/**
 * A CRC of 4 or 8 bytes that works from the lowest bit on, and begins and ends with all bits turned over. It runs in two halves of 32
 * bits instead of a BigInt, which would be some hundred times slower; a polynomial of 32 bits has nothing in the high half.
 * @returns what starts one
 */
export function reflectedCrc(
  bytes: 4 | 8,
  polynomialHigh: number,
  polynomialLow: number,
): () => RunningChecksum {
  const tableHigh = new Uint32Array(256);
  const tableLow = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    let high = 0;
    let low = byte;
    for (let bit = 0; bit < 8; bit += 1) {
      const carry = low & 1;
      low = (low >>> 1) | (high << 31);
      high >>>= 1;
      if (carry === 1) {
        high ^= polynomialHigh;
        low ^= polynomialLow;
      }
    }
    tableHigh[byte] = high;
    tableLow[byte] = low;
  }
  return () => {
    let high = bytes === 8 ? ~0 : 0;
    let low = ~0;
    return {
      update: (chunk) => {
        // An indexed loop: this runs over every byte of every body, and an iterator costs several times as much.
        for (let index = 0; index < chunk.length; index += 1) {
          const byte = (low ^ (chunk[index] as number)) & 0xff;
          low = ((low >>> 8) | (high << 24)) ^ (tableLow[byte] as number);
          high = (high >>> 8) ^ (tableHigh[byte] as number);
        }
      },
      digest: () => {
        const result = Buffer.alloc(8);
        result.writeUInt32BE(~high >>> 0, 0);
        result.writeUInt32BE(~low >>> 0, 4);
        return result.subarray(8 - bytes);
      },
    };
  };
}
