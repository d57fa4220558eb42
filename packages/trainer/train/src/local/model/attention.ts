import type { Floats } from '../numbers/gemm.ts';
import { makeMatrix, type Matrix, type Tape } from './matrix.ts';

/** Keys and values of the tokens of one sequence that were read before. One for each layer. */
export interface ReadBefore {
  keys: Floats;
  values: Floats;
}

/** Where a sequence lies among the packed rows of a batch. */
export interface Span {
  /** Its first row. */
  start: number;
  /** How many rows it has in this batch. */
  length: number;
  /** How many tokens were read before. */
  position: number;
}

/** Turns the two halves of each head by an angle that grows with the position, in place: RoPE as Qwen and Llama have it. */
export function rotate(
  x: Matrix,
  spans: readonly Span[],
  { headSize, theta }: { headSize: number; theta: number },
  tape: Tape | undefined,
): void {
  const half = headSize / 2;
  const speeds = Float64Array.from({ length: half }, (_, at) => theta ** (-at / half));
  const turn = (data: Floats, direction: 1 | -1): void => {
    for (const { start, length, position } of spans) {
      for (let row = 0; row < length; row += 1) {
        for (let at = 0; at < half; at += 1) {
          const angle = (position + row) * speeds[at]!;
          const cos = Math.cos(angle);
          const sin = Math.sin(angle) * direction;
          for (let head = (start + row) * x.columns; head < (start + row + 1) * x.columns; head += headSize) {
            const first = data[head + at]!;
            const second = data[head + half + at]!;
            data[head + at] = first * cos - second * sin;
            data[head + half + at] = second * cos + first * sin;
          }
        }
      }
    }
  };
  turn(x.data, 1);
  tape?.record(() => turn(x.grad!, -1));
}

/**
 * Each token looks at itself and those before it in its sequence. `readBefore` has the keys and values of a sequence from its first token,
 * those of this batch included; without it, they are the rows of `keys` and `values`.
 */
export function attend(
  [queries, keys, values]: readonly [Matrix, Matrix, Matrix],
  spans: readonly Span[],
  headSize: number,
  readBefore: readonly ReadBefore[] | undefined,
  tape: Tape | undefined,
): Matrix {
  const width = queries.columns;
  const scale = 1 / Math.sqrt(headSize);
  const out = makeMatrix(queries.data, queries.rows, width, tape);
  const longest = Math.max(...spans.map(({ position, length }) => position + length));
  const shares = new Float64Array(longest);

  for (const [index, { start, length, position }] of spans.entries()) {
    const seen = readBefore?.[index] ?? {
      keys: keys.data.subarray(start * width),
      values: values.data.subarray(start * width),
    };
    for (let row = 0; row < length; row += 1) {
      for (let head = 0; head < width; head += headSize) {
        const query = (start + row) * width + head;
        const count = position + row + 1;
        softmaxOfScores(shares, count, queries.data, query, seen.keys, head, width, headSize, scale);
        for (let at = 0; at < headSize; at += 1) {
          let sum = 0;
          for (let other = 0; other < count; other += 1)
            sum += shares[other]! * seen.values[other * width + head + at]!;
          out.data[query + at] = sum;
        }
      }
    }
  }

  tape?.record(() => {
    const pulls = new Float64Array(longest);
    for (const { start, length } of spans) {
      for (let row = 0; row < length; row += 1) {
        for (let head = 0; head < width; head += headSize) {
          const query = (start + row) * width + head;
          const first = start * width + head;
          // Computed again rather than kept: they would grow with the square of the length.
          softmaxOfScores(shares, row + 1, queries.data, query, keys.data, first, width, headSize, scale);
          let mean = 0;
          for (let other = 0; other <= row; other += 1) {
            let pull = 0;
            const value = first + other * width;
            for (let at = 0; at < headSize; at += 1) {
              pull += out.grad![query + at]! * values.data[value + at]!;
              values.grad![value + at]! += out.grad![query + at]! * shares[other]!;
            }
            pulls[other] = pull;
            mean += pull * shares[other]!;
          }
          for (let other = 0; other <= row; other += 1) {
            const slope = shares[other]! * (pulls[other]! - mean) * scale;
            const key = first + other * width;
            for (let at = 0; at < headSize; at += 1) {
              queries.grad![query + at]! += slope * keys.data[key + at]!;
              keys.grad![key + at]! += slope * queries.data[query + at]!;
            }
          }
        }
      }
    }
  });
  return out;
}

/** How much of its attention a query gives to each of `count` keys. */
function softmaxOfScores(
  shares: Float64Array,
  count: number,
  queries: Floats,
  query: number,
  keys: Floats,
  firstKey: number,
  width: number,
  headSize: number,
  scale: number,
): void {
  let highest = -Infinity;
  for (let other = 0; other < count; other += 1) {
    let score = 0;
    const key = firstKey + other * width;
    for (let at = 0; at < headSize; at += 1) score += queries[query + at]! * keys[key + at]!;
    shares[other] = score * scale;
    if (shares[other]! > highest) highest = shares[other]!;
  }
  let total = 0;
  for (let other = 0; other < count; other += 1) total += shares[other] = Math.exp(shares[other]! - highest);
  for (let other = 0; other < count; other += 1) shares[other]! /= total;
}
