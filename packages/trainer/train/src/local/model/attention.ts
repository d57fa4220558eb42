import { addProduct, type Floats, type Strided } from '../numbers/gemm.ts';
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
  const shares = new Float64Array(blockRows * longest);

  for (const [index, { start, length, position }] of spans.entries()) {
    const seen = readBefore?.[index] ?? {
      keys: keys.data.subarray(start * width),
      values: values.data.subarray(start * width),
    };
    for (let head = 0; head < width; head += headSize) {
      for (let block = 0; block < length; block += blockRows) {
        const rows = Math.min(blockRows, length - block);
        const before = position + block;
        const query = place(queries.data, (start + block) * width + head, width);
        shareAttention(shares, before, rows, query, place(seen.keys, head, width), headSize, scale);
        addProduct(
          { ...query, data: out.data },
          place(shares, 0, before + rows),
          place(seen.values, head, width),
          rows,
          headSize,
          before + rows,
        );
      }
    }
  }

  tape?.record(() => {
    const pulls = new Float64Array(blockRows * longest);
    const upstream = out.grad!;
    const [q, k] = [queries.data, keys.data];
    const [qGrad, kGrad, vGrad] = [queries.grad!, keys.grad!, values.grad!];
    for (const { start, length } of spans) {
      for (let head = 0; head < width; head += headSize) {
        const first = start * width + head;
        for (let block = 0; block < length; block += blockRows) {
          const rows = Math.min(blockRows, length - block);
          const seen = block + rows;
          const at0 = (start + block) * width + head;
          // Computed again rather than kept: they would grow with the square of the length.
          shareAttention(shares, block, rows, place(q, at0, width), place(k, first, width), headSize, scale);
          pulls.fill(0, 0, rows * seen);
          addProduct(
            place(pulls, 0, seen),
            place(upstream, at0, width),
            turned(place(values.data, first, width)),
            rows,
            seen,
            headSize,
          );
          for (let row = 0; row < rows; row += 1) {
            const query = at0 + row * width;
            const own = row * seen;
            const count = block + row + 1;
            let mean = 0;
            for (let other = own; other < own + count; other += 1) mean += pulls[other]! * shares[other]!;
            for (let other = 0; other < count; other += 1) {
              const share = shares[own + other]!;
              const slope = share * (pulls[own + other]! - mean) * scale;
              const key = first + other * width;
              for (let at = 0; at < headSize; at += 1) {
                vGrad[key + at]! += upstream[query + at]! * share;
                qGrad[query + at]! += slope * k[key + at]!;
                kGrad[key + at]! += slope * q[query + at]!;
              }
            }
          }
        }
      }
    }
  });
  return out;
}

/** How many queries look at once: as one product, which reads each key for several of them. */
const blockRows = 16;

function place(data: Floats, offset: number, rowStride: number): Strided {
  return { data, offset, rowStride, columnStride: 1 };
}

function turned({ data, offset, rowStride, columnStride }: Strided): Strided {
  return { data, offset, rowStride: columnStride, columnStride: rowStride };
}

/** How much of its attention each query gives to each key, `before + rows` keys a row; nothing to those after it. */
function shareAttention(
  shares: Float64Array,
  before: number,
  rows: number,
  queries: Strided,
  keys: Strided,
  headSize: number,
  scale: number,
): void {
  const seen = before + rows;
  shares.fill(0, 0, rows * seen);
  addProduct(place(shares, 0, seen), queries, turned(keys), rows, seen, headSize);
  for (let row = 0; row < rows; row += 1) {
    const from = row * seen;
    const end = from + before + row + 1;
    let highest = -Infinity;
    for (let at = from; at < end; at += 1) {
      const score = shares[at]! * scale;
      shares[at] = score;
      highest = Math.max(highest, score);
    }
    let total = 0;
    for (let at = from; at < end; at += 1) total += shares[at] = Math.exp(shares[at]! - highest);
    for (let at = from; at < end; at += 1) shares[at]! /= total;
    shares.fill(0, end, from + seen);
  }
}
