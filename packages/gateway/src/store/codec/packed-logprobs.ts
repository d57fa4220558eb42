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
