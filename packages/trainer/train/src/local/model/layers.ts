import { addProduct } from '../numbers/gemm.ts';
import { asRows, makeMatrix, type Matrix, type Tape, transposed } from './matrix.ts';

/** Rows of a table by number: the embedding. */
export function lookUp(table: Matrix, ids: ArrayLike<number>, tape: Tape | undefined): Matrix {
  const width = table.columns;
  const out = makeMatrix(table.data, ids.length, width, tape);
  for (let row = 0; row < ids.length; row += 1)
    out.data.set(table.data.subarray(ids[row]! * width, (ids[row]! + 1) * width), row * width);
  tape?.record(() => {
    if (table.grad === undefined) return;
    for (let row = 0; row < ids.length; row += 1)
      for (let at = 0; at < width; at += 1)
        table.grad[ids[row]! * width + at]! += out.grad![row * width + at]!;
  });
  return out;
}

/** `x · weightᵀ`: the weight has a row for each column of the result. */
export function linear(x: Matrix, weight: Matrix, tape: Tape | undefined): Matrix {
  const { rows: m, columns: k } = x;
  const n = weight.rows;
  const out = makeMatrix(weight.data, m, n, tape);
  addProduct(asRows(out.data, n), asRows(x.data, k), transposed(weight.data, k), m, n, k);
  tape?.record(() => {
    const upstream = out.grad!;
    if (x.grad) addProduct(asRows(x.grad, k), asRows(upstream, n), asRows(weight.data, k), m, k, n);
    if (weight.grad) addProduct(asRows(weight.grad, k), transposed(upstream, n), asRows(x.data, k), n, k, m);
  });
  return out;
}

/** `x + factor · y`. */
export function addScaled(x: Matrix, y: Matrix, factor: number, tape: Tape | undefined): Matrix {
  const out = makeMatrix(x.data, x.rows, x.columns, tape);
  for (let at = 0; at < out.data.length; at += 1) out.data[at] = x.data[at]! + factor * y.data[at]!;
  tape?.record(() => {
    for (let at = 0; at < out.data.length; at += 1) {
      x.grad![at]! += out.grad![at]!;
      y.grad![at]! += factor * out.grad![at]!;
    }
  });
  return out;
}

/** Each stretch of `gain.columns` numbers, scaled to a root mean square of 1, times the gain: RMSNorm. */
export function rmsNorm(x: Matrix, gain: Matrix, eps: number, tape: Tape | undefined): Matrix {
  const width = gain.columns;
  const stretches = x.data.length / width;
  const out = makeMatrix(x.data, x.rows, x.columns, tape);
  const inverse = new Float64Array(stretches);
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const start = stretch * width;
    let squares = 0;
    for (let at = start; at < start + width; at += 1) squares += x.data[at]! * x.data[at]!;
    inverse[stretch] = 1 / Math.sqrt(squares / width + eps);
    for (let at = 0; at < width; at += 1)
      out.data[start + at] = x.data[start + at]! * inverse[stretch]! * gain.data[at]!;
  }
  tape?.record(() => {
    for (let stretch = 0; stretch < stretches; stretch += 1) {
      const start = stretch * width;
      const scale = inverse[stretch]!;
      let along = 0;
      for (let at = 0; at < width; at += 1) {
        const upstream = out.grad![start + at]!;
        if (gain.grad) gain.grad[at]! += upstream * x.data[start + at]! * scale;
        along += upstream * gain.data[at]! * x.data[start + at]!;
      }
      const back = (along * scale * scale * scale) / width;
      for (let at = 0; at < width; at += 1)
        x.grad![start + at]! += out.grad![start + at]! * gain.data[at]! * scale - x.data[start + at]! * back;
    }
  });
  return out;
}

/** `silu(gate) · up`: SwiGLU. */
export function gated(gate: Matrix, up: Matrix, tape: Tape | undefined): Matrix {
  const out = makeMatrix(gate.data, gate.rows, gate.columns, tape);
  for (let at = 0; at < out.data.length; at += 1)
    out.data[at] = (gate.data[at]! / (1 + Math.exp(-gate.data[at]!))) * up.data[at]!;
  tape?.record(() => {
    for (let at = 0; at < out.data.length; at += 1) {
      const sigmoid = 1 / (1 + Math.exp(-gate.data[at]!));
      const upstream = out.grad![at]!;
      up.grad![at]! += upstream * gate.data[at]! * sigmoid;
      gate.grad![at]! += upstream * up.data[at]! * sigmoid * (1 + gate.data[at]! * (1 - sigmoid));
    }
  });
  return out;
}
