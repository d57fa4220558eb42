/** Numbers of a matrix. Weights are float32; float64 is for checking gradients. */
export type Floats = Float32Array | Float64Array;

/** Where a matrix lies among numbers: the element at row `r`, column `c` is `data[offset + r * rowStride + c * columnStride]`. */
export interface Strided {
  data: Floats;
  offset: number;
  rowStride: number;
  columnStride: number;
}

/**
 * Adds `a · b` to `c`: `a` has m rows and k columns, `b` k rows and n columns, `c` m rows and n columns that follow each other. Strides make
 * one function of the three products of a layer: forward, gradient of the input, gradient of the weights.
 *
 * Each element of `c` is one sum over `k` in order, in double precision, wherever it lies: results do not depend on what
 * else is in the batch. So a sampled token has the same logprob when it is trained on, to the last bit.
 */
export function addProduct(c: Strided, a: Strided, b: Strided, m: number, n: number, k: number): void {
  const { data: x, offset: xAt, rowStride: xRow, columnStride: xStep } = a;
  const { data: y, offset: yAt, rowStride: yStep, columnStride: yColumn } = b;
  const { data: z, offset: zAt, rowStride: zRow } = c;
  const fullRows = m - (m % 4);
  const fullColumns = n - (n % 4);
  for (let row = 0; row < fullRows; row += 4) {
    for (let column = 0; column < fullColumns; column += 4) {
      let s00 = 0,
        s01 = 0,
        s02 = 0,
        s03 = 0;
      let s10 = 0,
        s11 = 0,
        s12 = 0,
        s13 = 0;
      let s20 = 0,
        s21 = 0,
        s22 = 0,
        s23 = 0;
      let s30 = 0,
        s31 = 0,
        s32 = 0,
        s33 = 0;
      let x0 = xAt + row * xRow,
        x1 = x0 + xRow,
        x2 = x1 + xRow,
        x3 = x2 + xRow;
      let y0 = yAt + column * yColumn,
        y1 = y0 + yColumn,
        y2 = y1 + yColumn,
        y3 = y2 + yColumn;
      for (let step = 0; step < k; step += 1) {
        const a0 = x[x0]!,
          a1 = x[x1]!,
          a2 = x[x2]!,
          a3 = x[x3]!;
        const b0 = y[y0]!,
          b1 = y[y1]!,
          b2 = y[y2]!,
          b3 = y[y3]!;
        s00 += a0 * b0;
        s01 += a0 * b1;
        s02 += a0 * b2;
        s03 += a0 * b3;
        s10 += a1 * b0;
        s11 += a1 * b1;
        s12 += a1 * b2;
        s13 += a1 * b3;
        s20 += a2 * b0;
        s21 += a2 * b1;
        s22 += a2 * b2;
        s23 += a2 * b3;
        s30 += a3 * b0;
        s31 += a3 * b1;
        s32 += a3 * b2;
        s33 += a3 * b3;
        x0 += xStep;
        x1 += xStep;
        x2 += xStep;
        x3 += xStep;
        y0 += yStep;
        y1 += yStep;
        y2 += yStep;
        y3 += yStep;
      }
      let z0 = zAt + row * zRow + column;
      z[z0]! += s00;
      z[z0 + 1]! += s01;
      z[z0 + 2]! += s02;
      z[z0 + 3]! += s03;
      z0 += zRow;
      z[z0]! += s10;
      z[z0 + 1]! += s11;
      z[z0 + 2]! += s12;
      z[z0 + 3]! += s13;
      z0 += zRow;
      z[z0]! += s20;
      z[z0 + 1]! += s21;
      z[z0 + 2]! += s22;
      z[z0 + 3]! += s23;
      z0 += zRow;
      z[z0]! += s30;
      z[z0 + 1]! += s31;
      z[z0 + 2]! += s32;
      z[z0 + 3]! += s33;
    }
  }
  // What does not fill a block of four by four: rows first, which are all that there is when one token is read.
  for (let row = 0; row < m; row += 1) {
    let column = row < fullRows ? fullColumns : 0;
    for (; column + 4 <= n; column += 4) {
      let s0 = 0,
        s1 = 0,
        s2 = 0,
        s3 = 0;
      let left = xAt + row * xRow,
        right = yAt + column * yColumn;
      for (let step = 0; step < k; step += 1, left += xStep, right += yStep) {
        const a0 = x[left]!;
        s0 += a0 * y[right]!;
        s1 += a0 * y[right + yColumn]!;
        s2 += a0 * y[right + 2 * yColumn]!;
        s3 += a0 * y[right + 3 * yColumn]!;
      }
      const z0 = zAt + row * zRow + column;
      z[z0]! += s0;
      z[z0 + 1]! += s1;
      z[z0 + 2]! += s2;
      z[z0 + 3]! += s3;
    }
    for (; column < n; column += 1) {
      let sum = 0;
      let left = xAt + row * xRow;
      let right = yAt + column * yColumn;
      for (let step = 0; step < k; step += 1, left += xStep, right += yStep) sum += x[left]! * y[right]!;
      z[zAt + row * zRow + column]! += sum;
    }
  }
}
