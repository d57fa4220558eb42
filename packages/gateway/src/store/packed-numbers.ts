/** Bytes for each id of a packed array: the fewest that hold every one of them. */
export type IdWidth = 2 | 3 | 4;

/**
 * Token ids in 2, 3 or 4 bytes each, little endian, somewhere in a larger buffer. Vocabularies end near 2^18, so that
 * most arrays take three quarters of an Int32Array.
 */
export interface PackedIds {
  readonly bytes: Uint8Array;
  /** Where the first id begins. */
  readonly offset: number;
  readonly count: number;
  readonly width: IdWidth;
}

/** The width that a range of ids needs; ids below 0 need all 32 bits. */
export function idWidth(ids: Int32Array, start = 0): IdWidth {
  let bits = 0;
  for (let index = start; index < ids.length; index += 1) bits |= ids[index]!;
  if (bits >>> 16 === 0) return 2;
  return bits >>> 24 === 0 ? 3 : 4;
}

/** Writes `ids` from `start` on into `bytes`; the offset behind the last one. */
export function packIds(
  ids: Int32Array,
  start: number,
  width: IdWidth,
  bytes: Uint8Array,
  offset: number,
): number {
  let at = offset;
  let index = start;
  if (width === 3) {
    // Four ids are three words: a third of the writes, for what most vocabularies need.
    const view = viewOf(bytes);
    for (const last = ids.length - 3; index < last; index += 4) {
      const [a, b, c, d] = [ids[index]!, ids[index + 1]!, ids[index + 2]!, ids[index + 3]!];
      view.setInt32(at, a | (b << 24), true);
      view.setInt32(at + 4, (b >>> 8) | (c << 16), true);
      view.setInt32(at + 8, (c >>> 16) | (d << 8), true);
      at += 12;
    }
  }
  for (; index < ids.length; index += 1) {
    const id = ids[index]!;
    bytes[at] = id;
    bytes[at + 1] = id >>> 8;
    if (width > 2) bytes[at + 2] = id >>> 16;
    if (width > 3) bytes[at + 3] = id >>> 24;
    at += width;
  }
  return at;
}

/** Fills `target` with the first ids of `packed`. */
export function unpackIds(packed: PackedIds, target: Int32Array): Int32Array {
  for (let index = 0; index < target.length; index += 1) target[index] = idAt(packed, index);
  return target;
}

/** How many of `count` ids, `packed` from `from` on and `ids` from `start` on, are the same. */
export function commonIds(
  packed: PackedIds,
  from: number,
  count: number,
  ids: Int32Array,
  start: number,
): number {
  let index = 0;
  if (packed.width === 3) {
    // As they were packed, four at a time: every turn of a conversation is compared with all that came before it.
    const view = viewOf(packed.bytes);
    for (let at = packed.offset + from * 3; index + 4 <= count; index += 4, at += 12) {
      const id = start + index;
      const [a, b, c, d] = [ids[id]!, ids[id + 1]!, ids[id + 2]!, ids[id + 3]!];
      if ((a | b | c | d) >>> 24 !== 0) break;
      if (view.getInt32(at, true) !== (a | (b << 24))) break;
      if (view.getInt32(at + 4, true) !== ((b >>> 8) | (c << 16))) break;
      if (view.getInt32(at + 8, true) !== ((c >>> 16) | (d << 8))) break;
    }
  }
  while (index < count && idAt(packed, from + index) === ids[start + index]) index += 1;
  return index;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function idAt(packed: PackedIds, index: number): number {
  const { bytes, width } = packed;
  const at = packed.offset + index * width;
  const low = bytes[at]! | (bytes[at + 1]! << 8);
  if (width === 2) return low;
  return width === 3 ? low | (bytes[at + 2]! << 16) : low | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

/** Bytes for each logprob: 4 where every value is a float32 to begin with, as engines compute them. */
export type LogprobWidth = 4 | 8;

/** The fewest bytes that hold every value exactly. `Object.is` keeps -0 and NaN apart from what they resemble. */
export function logprobWidth(logprobs: Float64Array): LogprobWidth {
  for (const value of logprobs) if (!Object.is(Math.fround(value), value)) return 8;
  return 4;
}

/** Writes logprobs into `bytes`; the offset behind the last one. */
export function packLogprobs(
  logprobs: Float64Array,
  width: LogprobWidth,
  bytes: Buffer,
  offset: number,
): number {
  let at = offset;
  for (const value of logprobs)
    at = width === 4 ? bytes.writeFloatLE(value, at) : bytes.writeDoubleLE(value, at);
  return at;
}

export function unpackLogprobs(
  bytes: Buffer,
  offset: number,
  count: number,
  width: LogprobWidth,
): Float64Array {
  const logprobs = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    logprobs[index] =
      width === 4 ? bytes.readFloatLE(offset + index * 4) : bytes.readDoubleLE(offset + index * 8);
  }
  return logprobs;
}
