const longestKept = 32;
const slots = 1_021;

interface KeptName {
  bytes: Buffer;
  name: string;
}

// Every event of a stream has the same few names. A name has one place; another one that belongs there takes it.
const kept: (KeptName | undefined)[] = Array.from({ length: slots });

/** The text between two places, as a member's name: one that was read a moment ago is not made anew. */
export function nameAt(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length === 0 || length > longestKept) return bytes.toString('utf8', start, end);
  const middle = bytes[start + (length >> 1)] as number;
  const mixed = (((bytes[start] as number) * 33 + (bytes[end - 1] as number)) * 33 + middle) * 33 + length;
  const slot = mixed % slots;
  const known = kept[slot];
  if (known !== undefined && isAt(bytes, start, known.bytes, length)) return known.name;
  const name = bytes.toString('utf8', start, end);
  kept[slot] = { bytes: Buffer.from(bytes.subarray(start, end)), name };
  return name;
}

function isAt(bytes: Buffer, start: number, name: Buffer, length: number): boolean {
  if (name.length !== length) return false;
  for (let index = 0; index < length; index += 1) {
    if (bytes[start + index] !== name[index]) return false;
  }
  return true;
}
